import { posix, win32 } from 'node:path'
import type { EditorView } from '#shared/bridge/editor'
import { FailureError, type InvalidReason } from '#shared/failure'
import { variable } from '../launcher/find-program'
import type { Launch } from '../launcher/terminal'

/** An editor, its possible paths and its command, which needs no shell. */
export interface Editor extends EditorView {
  /** Possible paths, best first. A bare name is looked up on PATH. */
  readonly places: readonly string[]
  launch(program: string, alias: string, folder: string | null): Launch
}

const refused = (field: 'machine' | 'folder', reason: InvalidReason): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

/** Checks an alias (alias-names.ts): it must be harmless as an option, in a URL and in a shell. */
export function checkedAlias(alias: string | null): string {
  if (alias === null || !/^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(alias))
    throw refused('machine', 'not-ready')
  return alias
}

const maxFolderLength = 1_024
// Control characters, characters that change the direction of text, and halves of surrogate pairs.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

/** Checks an absolute folder of the machine; an empty text means none. Fails with invalid-input (folder). */
export function checkedFolder(text: string | null): string | null {
  const folder = text?.trim() ?? ''
  if (folder === '') return null
  if (folder.length > maxFolderLength) throw refused('folder', 'too-long')
  const steps = folder.split('/').slice(1)
  if (!folder.startsWith('/') || folder.startsWith('//') || unprintable.test(folder))
    throw refused('folder', 'malformed')
  if (steps.some((step) => step === '.' || step === '..')) throw refused('folder', 'malformed')
  return folder
}

const encoded = (folder: string): string => folder.split('/').map(encodeURIComponent).join('/')

/** Command of VS Code and its forks. The folder is a URI: a plain path could be read as a path of this computer. */
const likeCode: Editor['launch'] = (program, alias, folder) => ({
  file: program,
  args:
    folder === null
      ? ['--remote', `ssh-remote+${alias}`]
      : ['--folder-uri', `vscode-remote://ssh-remote+${alias}${encoded(folder)}`],
})

/** Returns every editor that this system can have. */
export function knownEditors(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  home: string,
): readonly Editor[] {
  const local = variable(env, 'LOCALAPPDATA') ?? win32.join(home, 'AppData', 'Local')
  const programs = variable(env, 'ProgramFiles') ?? 'C:\\Program Files'
  const inBoth = (...names: readonly string[]): readonly string[] => [
    win32.join(local, 'Programs', ...names),
    win32.join(programs, ...names),
  ]
  const app = (name: string, ...names: readonly string[]): readonly string[] =>
    ['/Applications', posix.join(home, 'Applications')].map((folder) =>
      posix.join(folder, `${name}.app`, 'Contents', ...names),
    )
  const on = (places: {
    readonly linux: readonly string[]
    readonly darwin: readonly string[]
    readonly win32: readonly string[]
  }) => (platform === 'win32' ? places.win32 : platform === 'darwin' ? places.darwin : places.linux)
  const cli = (command: string) => ['Resources', 'app', 'bin', command] as const
  const toolbox = posix.join(home, '.local/share/JetBrains/Toolbox/apps/gateway/bin')
  return [
    {
      id: 'vscode',
      name: 'VS Code',
      places: on({
        linux: ['code', '/snap/bin/code', '/usr/share/code/bin/code'],
        darwin: app('Visual Studio Code', ...cli('code')),
        win32: inBoth('Microsoft VS Code', 'Code.exe'),
      }),
      launch: likeCode,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      places: on({
        linux: ['cursor', '/usr/share/cursor/bin/cursor'],
        darwin: app('Cursor', ...cli('cursor')),
        win32: inBoth('cursor', 'Cursor.exe'),
      }),
      launch: likeCode,
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      places: on({
        linux: ['windsurf', '/usr/share/windsurf/bin/windsurf'],
        darwin: app('Windsurf', ...cli('windsurf')),
        win32: inBoth('Windsurf', 'Windsurf.exe'),
      }),
      launch: likeCode,
    },
    {
      id: 'zed',
      name: 'Zed',
      places: on({
        linux: ['zed', 'zeditor', posix.join(home, '.local/bin/zed')],
        darwin: app('Zed', 'MacOS', 'cli'),
        win32: inBoth('Zed', 'bin', 'zed.exe'),
      }),
      launch: (program, alias, folder) => ({
        file: program,
        args: [`ssh://${alias}${folder === null ? '/~' : encoded(folder)}`],
      }),
    },
    {
      id: 'gateway',
      name: 'JetBrains Gateway',
      places: on({
        linux: [
          'gateway',
          'jetbrains-gateway',
          posix.join(toolbox, 'gateway'),
          '/snap/bin/jetbrains-gateway',
        ],
        darwin: app('JetBrains Gateway', 'MacOS', 'gateway'),
        win32: inBoth('Gateway', 'bin', 'gateway64.exe'),
      }),
      launch: (program, alias, folder) => ({
        file: program,
        args: [
          `jetbrains-gateway://connect#type=ssh&host=${alias}${folder === null ? '' : `&projectPath=${encodeURIComponent(folder)}`}`,
        ],
      }),
    },
  ]
}
