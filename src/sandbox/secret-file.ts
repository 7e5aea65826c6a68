import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Reads the hex secret in a file of mode 0600, or creates it. For runs from a shell without a keychain. */
export async function readOrCreateSecret(path: string): Promise<string> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    await chmod(path, 0o600)
    return secret
  } catch (error) {
    if (!isMissing(error)) throw error
    const secret = randomBytes(32).toString('hex')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  }
}
