import { execFile } from 'node:child_process'
import { terminalEnvironment } from './launcher/environment'
import { findProgram } from './launcher/find-program'

/** Milliseconds in which git answers. */
const answersWithin = 5_000

/** Null where git has none, or is not installed. */
export interface OwnGitIdentity {
  readonly name: string | null
  readonly email: string | null
}

/** What git on this computer commits as, of all its repositories. Never fails. */
export async function ownGitIdentity(
  platform: NodeJS.Platform,
  desktop: NodeJS.ProcessEnv,
  home: string,
): Promise<OwnGitIdentity> {
  const env = terminalEnvironment(desktop)
  const git = await findProgram([platform === 'win32' ? 'git.exe' : 'git'], platform, env)
  if (git === null) return { name: null, email: null }
  const text = await new Promise<string>((resolve) => {
    const args = ['config', '--global', '--includes', '--null', '--get-regexp', '^user\\.(name|email)$']
    const settings = { env, cwd: home, timeout: answersWithin, windowsHide: true }
    // It fails where neither is set.
    execFile(git, args, settings, (error, stdout) => resolve(error ? '' : stdout))
  })
  // Of a name that stands there twice, git takes the last.
  const said = new Map(
    text.split('\0').map((entry) => {
      const end = entry.indexOf('\n')
      return [entry.slice(0, end), entry.slice(end + 1).trim()] as const
    }),
  )
  return { name: said.get('user.name') || null, email: said.get('user.email') || null }
}
