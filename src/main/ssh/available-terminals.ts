import type { TerminalView } from '#shared/bridge/ssh'
import type { SettingsSection } from '../store/settings'
import type { SshSettings } from './settings'
import { chooseTerminal, findTerminals, inside } from './launcher/terminal-choice'
import type { LauncherDeps } from './launcher/connect'
import { findSsh } from './launcher/find-program'
import { customTerminalId, plainCommand, readCustomCommand } from './launcher/custom-command'
import { knownTerminals } from './launcher/known-terminals'

interface OfferedTerminalsDeps extends Pick<LauncherDeps, 'platform' | 'env' | 'home'> {
  readonly settings: Pick<SettingsSection<SshSettings>, 'read' | 'change'>
  /** Id of the user's terminal; null: the best installed terminal. */
  chosen(): string | null
}

/** Every terminal that Connect can open: known terminals, the user's own command, and the terminal inside. */
export function createOfferedTerminals({ platform, env, home, settings, ...deps }: OfferedTerminalsDeps) {
  const known = knownTerminals(platform, env, home)
  const available = async () => {
    const own = readCustomCommand(settings.read().command ?? '', platform)
    return [...(await findTerminals(own ? [...known, own] : known, platform, env)), inside]
  }
  const views = async (): Promise<TerminalView[]> => {
    const { command } = settings.read()
    return (await available()).map(({ terminal: { id, name }, path }) => ({
      id,
      name,
      path,
      ...(id === customTerminalId && command !== undefined && { command }),
    }))
  }
  return {
    views,
    /** Returns the terminal that Connect opens. Without ssh that is the terminal inside, as all others run ssh. */
    choose: async () => {
      const ssh = await findSsh(platform, env)
      return chooseTerminal(ssh === null ? [] : await available(), deps.chosen())
    },
    /** Sets the user's own command; null removes it. Fails with invalid-input (command). */
    async setCommand(text: string | null): Promise<TerminalView[]> {
      const command = text === null ? undefined : plainCommand(text, platform)
      await settings.change((stored) => ({ ...stored, command }))
      return views()
    },
  }
}
