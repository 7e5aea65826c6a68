import { randomBytes } from 'node:crypto'
import { FailureError } from '#shared/failure'
import type { Keychain } from '../store/keychain'

/** How to reach the sandbox of this application. */
export interface SandboxAccess {
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly sshPort: number
  readonly identityFile: string
}

/**
 * `secret` in hex; `persistent` where the keychain holds it, so that the sandbox's world may outlive this run; `fresh`
 * where it was made just now, so that no world and no host key of before belongs to it.
 */
export interface SandboxSecret {
  readonly secret: string
  readonly persistent: boolean
  readonly fresh: boolean
}

/** The process that serves the sandbox. */
export interface SandboxProcess {
  /** Fails with local-fault. */
  start(secret: SandboxSecret): Promise<SandboxAccess>
  /** Ends the process and removes its world. */
  forget(): Promise<void>
  /** The listener is called where the process ends unasked after it answered. */
  onLost(listener: () => Promise<void>): void
}

const entry = 'sandbox/secret'

/** The sandbox's process as accounts see it: started once however many ask, with its secret out of the keychain. */
export const createSandboxHost = (keychain: Keychain, start: SandboxProcess['start']) => {
  let starting: Promise<SandboxAccess> | undefined
  let running: SandboxAccess | undefined
  let persistent = false

  const secretOf = async (): Promise<SandboxSecret> => {
    const fresh = randomBytes(32).toString('hex')
    try {
      const kept = await keychain.read(entry)
      if (kept === undefined) await keychain.write(entry, fresh)
      return { secret: kept ?? fresh, persistent: true, fresh: kept === undefined }
    } catch (error) {
      if (error instanceof FailureError) return { secret: fresh, persistent: false, fresh: true }
      throw error
    }
  }

  const startOnce = async (): Promise<SandboxAccess> => {
    const secret = await secretOf()
    running = await start(secret)
    persistent = secret.persistent
    return running
  }

  const stopped = (): void => {
    starting = undefined
    running = undefined
  }

  return {
    /** Fails with what starting it fails with; the next call tries again. */
    start: (): Promise<SandboxAccess> => {
      if (starting !== undefined) return starting
      const mine = startOnce().catch((error: unknown) => {
        if (starting === mine) stopped()
        throw error
      })
      starting = mine
      return mine
    },
    access: (): SandboxAccess | undefined => running,
    /** Whether the keychain holds the secret of the sandbox that runs. */
    persistent: (): boolean => persistent,
    /** The process is gone or does not answer: the next start makes a new one. */
    stopped,
    /** Removes the secret, and with it the way into the world made from it. Fails with keychain-unavailable. */
    forget: async (): Promise<void> => {
      stopped()
      await keychain.remove(entry)
    },
  }
}
export type SandboxHost = ReturnType<typeof createSandboxHost>
