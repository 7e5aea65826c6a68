import { readFile, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { LoginItem } from '#shared/bridge/app'
import { isMissingFile } from '../core/failure-of'
import { writeFileAtomic } from '../store/atomic-file'

/** A program with its arguments. */
export interface LoginProgram {
  readonly file: string
  readonly args: readonly string[]
}

/** Quotes an argument of `Exec` (Desktop Entry Specification 1.5, "The Exec key"). */
const quoted = (argument: string): string =>
  `"${argument.replace(/["`$\\]/g, '\\$&')}"`.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/%/g, '%%')

const execLine = ({ file, args }: LoginProgram): string => [file, ...args].map(quoted).join(' ')

/** Returns the text of an autostart file (Desktop Application Autostart Specification). */
export const autostartText = (program: LoginProgram): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Wheelhouse',
    'Icon=wheelhouse',
    `Exec=${execLine(program)}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

/** Reads the first argument of an `Exec` line. */
function programIn(exec: string): string {
  const raw = exec.replace(/%%/g, '%').replace(/\\\\/g, '\\')
  const [, inQuotes, bare] = /^\s*(?:"((?:\\.|[^"\\])*)"|(\S+))/.exec(raw) ?? []
  return inQuotes?.replace(/\\(.)/g, '$1') ?? bare ?? ''
}

/** Returns the effect of an autostart file on a desktop. Null: there is no file. */
export function loginItemIn(text: string | null, program: LoginProgram): LoginItem {
  if (text === null) return { kind: 'off' }
  const [, group = ''] = /^\[Desktop Entry\][^\n]*\n([^]*?)(?=^\[|$(?![^]))/m.exec(text) ?? []
  const valueOf = (key: string): string | undefined =>
    group
      .split('\n')
      .find((line) => line.replace(/\s*=.*$/, '') === key)
      ?.replace(/^[^=]*=\s*/, '')
      .trim()
  const exec = valueOf('Exec') ?? ''
  const isDisabled = valueOf('Hidden') === 'true' || valueOf('X-GNOME-Autostart-enabled') === 'false'
  if (isDisabled || exec === '') return { kind: 'off' }
  return exec === execLine(program) ? { kind: 'on' } : { kind: 'other', program: programIn(exec) }
}

interface AutostartDeps {
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly program: LoginProgram
}

/** Returns the autostart folder (XDG Base Directory Specification): a relative path is invalid and ignored. */
const autostartFolder = ({ home, env }: Pick<AutostartDeps, 'home' | 'env'>): string => {
  const { XDG_CONFIG_HOME: folder } = env
  return join(folder !== undefined && isAbsolute(folder) ? folder : join(home, '.config'), 'autostart')
}

/** Opens the application at login on Linux, by an autostart file. Its presence is the only memory of the setting. */
export function createAutostart(deps: AutostartDeps) {
  const path = join(autostartFolder(deps), 'wheelhouse.desktop')
  async function readText(): Promise<string | null> {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      if (isMissingFile(error)) return null
      throw error
    }
  }
  return {
    read: async (): Promise<LoginItem> => loginItemIn(await readText(), deps.program),
    change: (isOn: boolean): Promise<void> =>
      isOn ? writeFileAtomic(path, autostartText(deps.program)) : rm(path, { force: true }),
  }
}
