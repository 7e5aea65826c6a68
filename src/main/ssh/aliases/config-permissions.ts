import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { complaintOf } from './config-refusal'

/**
 * Whether ssh refuses the file for its permissions. It asks about those of an included file alone where a file is named by
 * `-F`, and before it reads the file; then nothing runs either, as there is no shell.
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
 * Why ssh refuses a file of the person's configuration on a POSIX system: it belongs to another user than root or the
 * person, or others may write to it. Null: it does not. Rejects where there is no such file.
 */
export async function permissionRefusal(
  path: string,
  findSsh: () => Promise<string | null>,
  env: NodeJS.ProcessEnv,
): Promise<'owner' | 'writable' | null> {
  const person = process.getuid?.()
  const { uid, mode } = await stat(path)
  if (uid !== 0 && uid !== person) return 'owner'
  if ((mode & 0o022) === 0) return null
  if ((mode & 0o002) !== 0) return 'writable'
  // Debian's ssh, where files are made so, takes a file that a group of the person alone may write to.
  const ssh = await findSsh()
  return ssh === null || (await isRefused(ssh, path, env)) ? 'writable' : null
}
