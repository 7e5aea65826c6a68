import type { AccountId } from '#shared/bridge/account'
import { type appCalls, Settings } from '#shared/bridge/app'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { followLocale, languages, resolveLocale } from '#shared/locale'
import { createEmitter } from '#shared/emitter'
import { defineModule } from '../core/module'
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
    /** Calls `listener` when one setting has changed. */
    onChangeOf(name: 'theme' | 'locale', listener: () => void): void {
      let before = section.read()[name]
      changes.on((settings) => {
        const isSame = settings[name] === before
        before = settings[name]
        if (!isSame) listener()
      })
    },
  })
}
export type Preferences = ReturnType<typeof createPreferences>

/** Keeps the process's locale in step with the setting. Subscribe other listeners that show text afterwards. */
export function followPreferredLocale(
  { read, onChange }: Pick<Preferences, 'read' | 'onChange'>,
  system: readonly string[],
): void {
  const resolve = (): string => resolveLocale(read().locale, system, languages)
  let locale = resolve()
  followLocale(() => locale)
  onChange(() => (locale = resolve()))
}
