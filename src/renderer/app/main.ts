import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import '../platform/base.css'
import { guardClicks } from '../platform/click-guard'
import { languages, resolveLocale } from '#shared/locale'
import { firstAnswers, readFirstAnswers } from '../platform/first-answers'
import { useLanguage } from '../platform/i18n'
import { guardComposition } from '../platform/keys'
import { router } from './router'
import ThemedApp from './ThemedApp.vue'
import { allowOwnStyles } from '../platform/style-nonce'
import { followTyping } from '../platform/typing'

allowOwnStyles()
readFirstAnswers(document)
const { settings, systemLocales } = firstAnswers()
guardClicks(document)
followTyping(document)
guardComposition(document)
const mount = (): void => void createApp(ThemedApp).use(createPinia()).use(router).mount('#app')
useLanguage(resolveLocale(settings.locale, systemLocales, languages)).then(mount, mount)
