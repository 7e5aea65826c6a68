import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod } from 'node:fs/promises'
import { posix } from 'node:path'
import { writeFileAtomic } from '../../store/atomic-file'
import { posixQuoted } from '../launcher/quoting'
import type { Launch } from '../launcher/terminal'
import { askpassVariables, hint } from './protocol'
import { asksSafely } from './prompts'

/** Milliseconds in which ssh says its version. */
const saysWithin = 3_000

/** The first words of `ssh -V`; null where it does not run. */
const versionOf = (ssh: string, env: NodeJS.ProcessEnv): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(ssh, ['-V'], { env, timeout: saysWithin, windowsHide: true }, (error, out, said) =>
      resolve(error ? null : ((said || out).trim().split(/[\s,]/)[0] ?? null)),
    )
  })

/**
 * ssh starts its program with the question alone. This one hands it on in the environment: as an argument, Chromium
 * could take what a hostile server asks for one of its options. Where nobody listens, as for another ssh that the person
 * starts in the same terminal, or once the application has ended, the terminal is asked, as it would be without it.
 */
const script = ({ file, args }: Launch): string => {
  // What Chromium says of itself would stand in the terminal.
  const asking = `${[file, ...args, '--askpass'].map(posixQuoted).join(' ')} 2>/dev/null`
  return [
    '#!/bin/sh',
    '# Written by Wheelhouse: ssh asks it for passphrases and passwords.',
    `${askpassVariables.prompt}=$1`,
    `${askpassVariables.asker}=$PPID`,
    `export ${askpassVariables.prompt} ${askpassVariables.asker}`,
    // ssh ends what shows a notice: that has to be the program itself.
    `[ "$${hint.variable}" != ${hint.notice} ] || exec ${asking}`,
    asking,
    'status=$?',
    '[ "$status" -gt 1 ] || exit "$status"',
    '{ exec 3<>/dev/tty; } 2>/dev/null || exit 1',
    "trap 'stty echo <&3' EXIT",
    "trap 'exit 1' HUP INT TERM",
    // Before the question: who is quick types at once.
    'case $1 in *yes/no*) ;; *) stty -echo <&3 ;; esac',
    'printf %s "$1" >&3',
    'IFS= read -r answer <&3 || exit 1',
    "printf '\\n' >&3",
    'printf \'%s\\n\' "$answer"',
    '',
  ].join('\n')
}

export interface AskProgramDeps {
  /** User data: the script that ssh starts lies here. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** How this application is started once more. */
  readonly program: Launch
}

/** What ssh asks, and whether it can. */
export function createAskProgram({ folder, platform, env, program }: AskProgramDeps) {
  const path = posix.join(folder, 'askpass')
  const versions = new Map<string, Promise<string | null>>()
  let written: Promise<void> | undefined
  const write = async (): Promise<void> => {
    await writeFileAtomic(path, script(program))
    await chmod(path, 0o700)
    // On a file system mounted noexec ssh could not start it.
    await access(path, constants.X_OK)
  }
  const version = async (ssh: string): Promise<string | null> => {
    const asked = versions.get(ssh) ?? versionOf(ssh, env)
    versions.set(ssh, asked)
    const known = await asked
    // A busy computer may have been too slow.
    if (known === null) versions.delete(ssh)
    return known
  }

  /** Whether the person's environment decides who is asked; that of a terminal of ours does not. */
  const isChosen = Boolean(env['SSH_ASKPASS_REQUIRE']) && env['SSH_ASKPASS'] !== path

  return {
    version,
    async asks(ssh: string | null): Promise<'window' | 'terminal' | 'own'> {
      if (isChosen) return 'own'
      // On Windows ssh starts a program alone, with what it asks as its argument.
      if (ssh === null || platform === 'win32') return 'terminal'
      return asksSafely((await version(ssh)) ?? '') ? 'window' : 'terminal'
    },
    /** What makes ssh ask us. */
    async environment(): Promise<NodeJS.ProcessEnv> {
      await (written ??= write())
      return { SSH_ASKPASS: path, SSH_ASKPASS_REQUIRE: 'force' }
    },
  }
}
