import type { AccountId } from '#shared/bridge/account'
import { type appCalls, Settings } from '#shared/bridge/app'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { followLocale, languages, resolveLocale } from '#shared/locale'
import { loadMessages } from '#shared/messages/index'
import { createEmitter } from '#shared/emitter'
import { defineModule } from '../core/module'
import { reportError } from '../core/report-error'
import type { SettingsStore } from '../store/settings'

type PreferenceCalls = Pick<typeof appCalls, 'settings.read' | 'settings.change'>

/** Settings of the application as a whole, in the section `app`. */
export function createPreferences(settings: Pick<SettingsStore, 'section'>) {
  const section = settings.section('app', Settings)
  const changes = createEmitter<Settings>()

  /** Applies a change at once, even if it cannot be saved. Fails with local-fault. */
  function change(changed: CallInput<'settings.change'>): Promise<Settings> {
    const written = section.change((value) => Settings.parse({ ...value, ...changed }))
    changes.emit(section.read())
    return written
  }

  const handlers: HandlersOf<PreferenceCalls> = {
    'settings.read': () => section.read(),
    'settings.change': change,
  }
  return defineModule({
    handlers,
    events: { 'settings.changed': changes.on },
    /** Removes the recent palette commands that name the account. */
    async forgetAccount(account: AccountId): Promise<void> {
      const { recentCommands } = section.read()
      if (recentCommands?.some((id) => id.includes(account)))
        await change({ recentCommands: recentCommands.filter((id) => !id.includes(account)) })
    },
    read: section.read,
    onChange: changes.on,
    onThemeChange(listener: () => void): void {
      let before = section.read().theme
      changes.on(({ theme }) => {
        const isSame = theme === before
        before = theme
        if (!isSame) listener()
      })
    },
  })
}
export type Preferences = ReturnType<typeof createPreferences>

/**
 * Keeps the process's locale in step with the setting. Calls `changed` when its messages are loaded; a failure to load
 * them leaves English texts.
 */
export async function followPreferredLocale(
  { read, onChange }: Pick<Preferences, 'read' | 'onChange'>,
  system: readonly string[],
  changed: () => void,
): Promise<void> {
  let locale: string = languages[0]
  followLocale(() => locale)
  const follow = async (): Promise<void> => {
    const next = resolveLocale(read().locale, system, languages)
    if (next === locale) return
    locale = next
    await loadMessages(next).catch((error: unknown) => reportError('settings.change', error))
    changed()
  }
  onChange(() => void follow())
  await follow()
}
