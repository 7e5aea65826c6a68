import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { KeepAnswer } from '#shared/bridge/askpass'
import { createMutex } from '../../core/mutex'
import type { Keychain } from '../../store/keychain'
import type { Sections } from '../../store/settings'
import { fingerprintOf } from '../keys/key-list'
import { readKeyFile } from '../client/key-file'

/** Keychain entries that hold a passphrase. */
const KeychainEntries = z.object({ entries: z.array(z.string()).default([]) })

/**
 * Keychain entry of a key: named by its fingerprint, so that another key at the same path gets no passphrase of it. Named
 * by its path if the file doesn't contain the public key.
 */
async function entryOf(path: string): Promise<string> {
  const blob = (await readKeyFile(path))?.blob
  const name = blob ? fingerprintOf(blob) : path
  return `ssh-passphrase ${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

/** Passphrases that the user wants to keep: in memory, or in the keychain. Never on disk. */
export function createPassphrases(keychain: Keychain, documents: Sections) {
  const section = documents.section('ssh-passphrases', KeychainEntries)
  const inMemory = new Map<string, string>()
  // A passphrase that is being stored must not reach the keychain after `forget`.
  const runExclusive = createMutex()

  async function drop(entry: string): Promise<void> {
    inMemory.delete(entry)
    if (!section.read().entries.includes(entry)) return
    await keychain.remove(entry)
    await section.change(({ entries }) => ({ entries: entries.filter((listed) => listed !== entry) }))
  }

  return {
    count: (): number => new Set([...inMemory.keys(), ...section.read().entries]).size,
    /** Returns null if none is stored, or the keychain doesn't answer. */
    async read(path: string): Promise<string | null> {
      const entry = await entryOf(path)
      const remembered = inMemory.get(entry)
      if (remembered !== undefined) return remembered
      if (!section.read().entries.includes(entry)) return null
      return (await keychain.read(entry).catch(() => undefined)) ?? null
    },
    /** Fails with keychain-unavailable; the passphrase is then in memory only. */
    keep: (path: string, passphrase: string, where: KeepAnswer): Promise<void> =>
      runExclusive(async () => {
        if (where === 'no') return
        const entry = await entryOf(path)
        inMemory.set(entry, passphrase)
        if (where === 'session') return
        // Listed first: an entry of the keychain that isn't listed could never be removed.
        await section.change(({ entries }) => ({ entries: [...new Set([...entries, entry])] }))
        await keychain.write(entry, passphrase)
      }),
    /** Drops a passphrase that the key did not accept. */
    drop: (path: string): Promise<void> => runExclusive(async () => drop(await entryOf(path))),
    forget: (): Promise<void> =>
      runExclusive(async () => {
        inMemory.clear()
        for (const entry of section.read().entries) await drop(entry)
      }),
    clear: (): void => inMemory.clear(),
  }
}
