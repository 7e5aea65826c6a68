import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { KeepAnswer } from '#shared/bridge/askpass'
import { createMutex } from '../../core/mutex'
import type { Keychain } from '../../store/keychain'
import type { Sections } from '../../store/settings'
import { fingerprintOf } from '../keys/key-list'
import { readKeyFile } from '../client/key-file'

/** The entries of the keychain that hold a passphrase. */
const Kept = z.object({ entries: z.array(z.string()).default([]) })

/** A key by what it is, so that another in its place gets nothing of it; by its path where it does not show that. */
async function entryOf(path: string): Promise<string> {
  const blob = (await readKeyFile(path))?.blob
  const name = blob ? fingerprintOf(blob) : path
  return `ssh-passphrase ${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

/** Passphrases that the person wants kept: in memory, or in the keychain. Never on the disk. */
export function createPassphrases(keychain: Keychain, documents: Sections) {
  const kept = documents.section('ssh-passphrases', Kept)
  const inMemory = new Map<string, string>()
  // What is being kept while all are forgotten would else reach the keychain after that.
  const runExclusive = createMutex()

  async function drop(entry: string): Promise<void> {
    inMemory.delete(entry)
    if (!kept.read().entries.includes(entry)) return
    await keychain.remove(entry)
    await kept.change(({ entries }) => ({ entries: entries.filter((one) => one !== entry) }))
  }

  return {
    count: (): number => new Set([...inMemory.keys(), ...kept.read().entries]).size,
    /** Null where none is kept, or the keychain does not answer. */
    async read(path: string): Promise<string | null> {
      const entry = await entryOf(path)
      const held = inMemory.get(entry)
      if (held !== undefined) return held
      if (!kept.read().entries.includes(entry)) return null
      return (await keychain.read(entry).catch(() => undefined)) ?? null
    },
    /** Fails with keychain-unavailable; it is then kept in memory. */
    keep: (path: string, passphrase: string, where: KeepAnswer): Promise<void> =>
      runExclusive(async () => {
        if (where === 'no') return
        const entry = await entryOf(path)
        inMemory.set(entry, passphrase)
        if (where === 'session') return
        // Noted first: what is in the keychain can always be found again, and removed.
        await kept.change(({ entries }) => ({ entries: [...new Set([...entries, entry])] }))
        await keychain.write(entry, passphrase)
      }),
    /** A kept passphrase that was not accepted is no use. */
    drop: (path: string): Promise<void> => runExclusive(async () => drop(await entryOf(path))),
    forget: (): Promise<void> =>
      runExclusive(async () => {
        inMemory.clear()
        for (const entry of kept.read().entries) await drop(entry)
      }),
    clear: (): void => inMemory.clear(),
  }
}
