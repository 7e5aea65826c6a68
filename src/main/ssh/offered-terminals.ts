import type { TerminalView } from '#shared/bridge/ssh'
import type { SettingsSection } from '../store/settings'
import type { Terminals } from '../terminals/index'
import type { SshSettings } from './settings'
import { chooseTerminal, findTerminals, insideTerminal } from './launcher/choice'
import type { LauncherDeps } from './launcher/connect'
import { customTerminalId, plainCommand, readCustomCommand } from './launcher/custom-command'
import { knownTerminals } from './launcher/known'

interface OfferedTerminalsDeps extends Pick<LauncherDeps, 'platform' | 'env' | 'home'> {
  readonly settings: Pick<SettingsSection<SshSettings>, 'read' | 'change'>
  readonly terminals: Pick<Terminals, 'isAvailable'>
  /** The terminal that the person chose, by id; null: the best one found. */
  chosen(): string | null
}

/** Every terminal that Connect may open: those known, the person's own, and the one inside. */
export function createOfferedTerminals({ platform, env, home, settings, ...deps }: OfferedTerminalsDeps) {
  const known = knownTerminals(platform, env, home)
  const isAvailable = () => deps.terminals.isAvailable()
  const found = async () => {
    const own = readCustomCommand(settings.read().command ?? '', platform)
    return [
      ...(await findTerminals(own ? [...known, own] : known, platform, env)),
      { terminal: insideTerminal, path: (await isAvailable()) ? '' : null },
    ]
  }
  const views = async (): Promise<TerminalView[]> => {
    const { command } = settings.read()
    return (await found()).map(({ terminal: { id, name }, path }) => ({
      ...{ id, name, path },
      ...(id === customTerminalId && command !== undefined && { command }),
    }))
  }
  return {
    views,
    /** The one that Connect opens; undefined where there is none. */
    choose: async () => chooseTerminal(await found(), deps.chosen()),
    isAvailable,
    /** The person's own; null removes it. Fails with invalid-input (command). */
    async setCommand(text: string | null): Promise<TerminalView[]> {
      const command = text === null ? undefined : plainCommand(text, platform)
      await settings.change((stored) => ({ ...stored, command }))
      return views()
    },
  }
}
