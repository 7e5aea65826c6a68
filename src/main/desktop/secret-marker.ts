import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * What is noted of a secret on the clipboard, so that it is known again after a crash. Two bytes of a salted digest: too
 * few to try out guesses on, enough to mistake one text in 65,536 for it.
 */
const Marker = z.object({ salt: z.string(), digest: z.string() })

const digestOf = (text: string, salt: string): string =>
  createHmac('sha256', salt).update(text).digest('hex').slice(0, 4)

/** Notes in `file` that a secret is on the clipboard. Where the disk refuses, nothing is noted. */
export function secretMarker(file: string) {
  const quietly = (change: () => void): void => {
    try {
      change()
    } catch {
      // Full, or gone.
    }
  }
  return {
    set(secret: string): void {
      const salt = randomBytes(16).toString('hex')
      const marker = { salt, digest: digestOf(secret, salt) }
      quietly(() => writeFileSync(file, JSON.stringify(marker), { mode: 0o600 }))
    },
    remove: (): void => quietly(() => rmSync(file, { force: true })),
    /** Whether an earlier run left this on the clipboard, as it seems; null: no run left anything. */
    recognizes(): ((text: string) => boolean) | null {
      try {
        const { salt, digest } = Marker.parse(JSON.parse(readFileSync(file, 'utf8')))
        return (text) => text !== '' && digestOf(text, salt) === digest
      } catch {
        return null
      }
    },
  }
}
export type SecretMarker = ReturnType<typeof secretMarker>
