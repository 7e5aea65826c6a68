import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { complaintOf } from './config-refusal'

/**
 * Asks ssh whether it refuses the file for its permissions. With `-F` ssh checks only the permissions of included files,
 * before it reads them; without a shell nothing in them can run.
 */
async function isRefused(ssh: string, path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-'))
  try {
    const probe = join(folder, 'config')
    await writeFile(probe, `Include "${path}"\n`, { mode: 0o600 })
    const complaint = await complaintOf(ssh, probe, { ...env, SHELL: '/dev/null' })
    return complaint?.includes('Bad owner or permissions') === true
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns why ssh refuses a configuration file on a POSIX system: it belongs to somebody else than root and the user, or
 * others may write to it. Null: ssh accepts it. Rejects if there is no such file.
 */
export async function permissionRefusal(
  path: string,
  findSsh: () => Promise<string | null>,
  env: NodeJS.ProcessEnv,
): Promise<'owner' | 'writable' | null> {
  const ownUid = process.getuid?.()
  const { uid, mode } = await stat(path)
  if (uid !== 0 && uid !== ownUid) return 'owner'
  if ((mode & 0o022) === 0) return null
  if ((mode & 0o002) !== 0) return 'writable'
  // Debian's ssh accepts a file that the user's own group may write to, as Debian creates files.
  const ssh = await findSsh()
  return ssh === null || (await isRefused(ssh, path, env)) ? 'writable' : null
}
