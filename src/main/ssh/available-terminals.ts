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
  /** The terminal that the person chose, by id; null: the best one found. */
  chosen(): string | null
}

/** Every terminal that Connect may open: those known, the person's own, and the one inside. */
export function createOfferedTerminals({ platform, env, home, settings, ...deps }: OfferedTerminalsDeps) {
  const known = knownTerminals(platform, env, home)
  const found = async () => {
    const own = readCustomCommand(settings.read().command ?? '', platform)
    return [...(await findTerminals(own ? [...known, own] : known, platform, env)), inside]
  }
  const views = async (): Promise<TerminalView[]> => {
    const { command } = settings.read()
    return (await found()).map(({ terminal: { id, name }, path }) => ({
      id,
      name,
      path,
      ...(id === customTerminalId && command !== undefined && { command }),
    }))
  }
  return {
    views,
    /** The one that Connect opens: where there is no ssh, the one inside, since the others run it. */
    choose: async () => {
      const ssh = await findSsh(platform, env)
      return chooseTerminal(ssh === null ? [] : await found(), deps.chosen())
    },
    /** The person's own; null removes it. Fails with invalid-input (command). */
    async setCommand(text: string | null): Promise<TerminalView[]> {
      const command = text === null ? undefined : plainCommand(text, platform)
      await settings.change((stored) => ({ ...stored, command }))
      return views()
    },
  }
}
