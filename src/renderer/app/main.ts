import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import '../platform/base.css'
import { guardClicks } from '../platform/click-guard'
import { readFirstAnswers } from '../platform/first-answers'
import { router } from './router'
import ThemedApp from './ThemedApp.vue'
import { allowOwnStyles } from '../platform/style-nonce'

allowOwnStyles()
readFirstAnswers(document)
guardClicks(document)
createApp(ThemedApp).use(createPinia()).use(router).mount('#app')
