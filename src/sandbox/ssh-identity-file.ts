import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { KeyPair } from './openssh-key'

export interface IdentityFile {
  readonly path: string
  /** Removes the temporary folder, if one was created. */
  remove(): Promise<void>
}

/** Writes the private key (mode 0600) to `path` or a new temporary folder, with the public key in the same folder. */
export async function writeIdentityFile(key: KeyPair, path: string | undefined): Promise<IdentityFile> {
  const folder = path === undefined ? await mkdtemp(join(tmpdir(), 'wheelhouse-sandbox-')) : dirname(path)
  const file = path ?? join(folder, 'id_ed25519')
  await mkdir(folder, { recursive: true })
  await writeFile(file, key.privateKey, { mode: 0o600 })
  // writeFile does not change the mode of an existing file.
  await chmod(file, 0o600)
  await writeFile(`${file}.pub`, `${key.publicKey}\n`)
  return {
    path: file,
    remove: async () => {
      if (path === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
