import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { ignoreDiskErrors } from './run-marker'

/**
 * Note about a secret on the clipboard that recognizes it after a crash. Two bytes of a salted digest are too few to
 * test guesses; one text in 65,536 is mistaken for the secret.
 */
const Marker = z.object({ salt: z.string(), digest: z.string() })

const digestOf = (text: string, salt: string): string =>
  createHmac('sha256', salt).update(text).digest('hex').slice(0, 4)

/** Notes in `file` that a secret is on the clipboard. Disk errors are ignored. */
export function secretMarker(file: string) {
  return {
    set(secret: string): void {
      const salt = randomBytes(16).toString('hex')
      const marker = { salt, digest: digestOf(secret, salt) }
      ignoreDiskErrors(() => writeFileSync(file, JSON.stringify(marker), { mode: 0o600 }))
    },
    remove: (): void => ignoreDiskErrors(() => rmSync(file, { force: true })),
    /** Returns a check for the secret that an earlier run left on the clipboard; null if there is none. */
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
