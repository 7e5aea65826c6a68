import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod } from 'node:fs/promises'
import { posix } from 'node:path'
import { writeFileAtomic } from '../../store/atomic-file'
import { posixQuoted } from '../launcher/quoting'
import type { Launch } from '../launcher/terminal'
import { askpassVariables, hint } from './protocol'
import { asksSafely } from './prompts'

/** Limit for `ssh -V`. */
const versionTimeoutMs = 3_000

/** Returns the first word of `ssh -V`; null if ssh doesn't run. */
const versionOf = (ssh: string, env: NodeJS.ProcessEnv): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(ssh, ['-V'], { env, timeout: versionTimeoutMs, windowsHide: true }, (error, stdout, stderr) =>
      resolve(error ? null : ((stderr || stdout).trim().split(/[\s,]/)[0] ?? null)),
    )
  })

/**
 * Script that ssh starts with the question as its argument. It passes the question on in the environment: Chromium could
 * read a hostile server's question as an option. If the application doesn't listen, as for another ssh in the
 * same terminal or after it has quit, the script asks in the terminal, as ssh itself would.
 */
const script = ({ file, args }: Launch): string => {
  // Hides Chromium's own messages from the terminal.
  const command = `${[file, ...args, '--askpass'].map(posixQuoted).join(' ')} 2>/dev/null`
  return [
    '#!/bin/sh',
    '# Written by Wheelhouse: ssh asks it for passphrases and passwords.',
    `${askpassVariables.prompt}=$1`,
    `${askpassVariables.asker}=$PPID`,
    `export ${askpassVariables.prompt} ${askpassVariables.asker}`,
    // ssh ends the process of a notice: it must be the application itself.
    `[ "$${hint.variable}" != ${hint.notice} ] || exec ${command}`,
    command,
    'status=$?',
    '[ "$status" -gt 1 ] || exit "$status"',
    '{ exec 3<>/dev/tty; } 2>/dev/null || exit 1',
    "trap 'stty echo <&3' EXIT",
    "trap 'exit 1' HUP INT TERM",
    // Before the question: the user may type at once.
    'case $1 in *yes/no*) ;; *) stty -echo <&3 ;; esac',
    'printf %s "$1" >&3',
    'IFS= read -r answer <&3 || exit 1',
    "printf '\\n' >&3",
    'printf \'%s\\n\' "$answer"',
    '',
  ].join('\n')
}

export interface AskProgramDeps {
  /** User data; contains the script that ssh starts. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Command that starts this application again. */
  readonly program: Launch
}

/** The askpass script, and whether ssh can use it. */
export function createAskProgram({ folder, platform, env, program }: AskProgramDeps) {
  const path = posix.join(folder, 'askpass')
  const versions = new Map<string, Promise<string | null>>()
  let written: Promise<void> | undefined
  const write = async (): Promise<void> => {
    await writeFileAtomic(path, script(program))
    await chmod(path, 0o700)
    // Fails if the file system is mounted noexec.
    await access(path, constants.X_OK)
  }
  const version = async (ssh: string): Promise<string | null> => {
    const reading = versions.get(ssh) ?? versionOf(ssh, env)
    versions.set(ssh, reading)
    const read = await reading
    // Retries later: a busy computer may have been too slow.
    if (read === null) versions.delete(ssh)
    return read
  }

  /** Whether the user's environment chooses an askpass program. Terminals of the application set it too. */
  const isChosen = Boolean(env['SSH_ASKPASS_REQUIRE']) && env['SSH_ASKPASS'] !== path

  return {
    version,
    async asks(ssh: string | null): Promise<'window' | 'terminal' | 'own'> {
      if (isChosen) return 'own'
      // On Windows ssh starts a program only, not a script, with the question as its argument.
      if (ssh === null || platform === 'win32') return 'terminal'
      return asksSafely((await version(ssh)) ?? '') ? 'window' : 'terminal'
    },
    /** Variables that make ssh start the script. */
    async environment(): Promise<NodeJS.ProcessEnv> {
      await (written ??= write())
      return { SSH_ASKPASS: path, SSH_ASKPASS_REQUIRE: 'force' }
    },
  }
}
