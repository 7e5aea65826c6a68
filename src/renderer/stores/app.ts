import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { AppInfo, Settings } from '#shared/bridge/app'
import { languages, resolveLocale } from '#shared/locale'
import { bridge } from '../platform/bridge'
import { firstAnswers } from '../platform/first-answers'
import { useLanguage } from '../platform/i18n'
import { themeOf } from '../platform/theme'

/** The platform that the application runs on, and the user's settings. */
export const useApp = defineStore('app', () => {
  const info = shallowRef<AppInfo | null>(null)
  const settings = shallowRef<Settings>(firstAnswers().settings)
  const online = ref(navigator.onLine)
  const systemIsDark = ref(true)

  const theme = computed(() => themeOf(settings.value.theme, systemIsDark.value))

  const followLanguage = (): Promise<void> => {
    const { systemLocales } = info.value ?? firstAnswers()
    return useLanguage(resolveLocale(settings.value.locale, systemLocales, languages))
  }
  // `change` reports failures.
  watch([settings, info], () => followLanguage().catch(() => undefined))

  async function start(): Promise<void> {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    systemIsDark.value = dark.matches
    dark.addEventListener('change', () => (systemIsDark.value = dark.matches))
    for (const event of ['online', 'offline']) {
      addEventListener(event, () => (online.value = navigator.onLine))
    }
    bridge.on('settings.changed', (changed) => (settings.value = changed))
    bridge.on('app.changed', (changed) => (info.value = changed))
    // Each answer applies on its own: a change before the second answer is newer.
    await Promise.all([
      bridge.call('settings.read', {}).then((read) => (settings.value = read)),
      bridge.call('app.info', {}).then((about) => (info.value = about)),
    ])
  }

  async function change(changes: Partial<Settings>): Promise<void> {
    settings.value = await bridge.call('settings.change', changes)
    if (changes.locale !== undefined) await followLanguage()
  }

  return { info, settings, online, theme, start, change }
})
