import { randomBytes } from 'node:crypto'
import { FailureError } from '#shared/failure'
import type { Keychain } from '../store/keychain'

export interface SandboxAccess {
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly sshPort: number
  readonly identityFile: string
}

/**
 * Secret of the sandbox in hex. `persistent`: it is in the keychain, so the world may outlive this run. `fresh`: it is
 * new, so no earlier world or host key belongs to it.
 */
export interface SandboxSecret {
  readonly secret: string
  readonly persistent: boolean
  readonly fresh: boolean
}

export interface SandboxProcess {
  /** Fails with local-fault. */
  start(secret: SandboxSecret): Promise<SandboxAccess>
  /** Ends the process and deletes its world. */
  forget(): Promise<void>
  /** Sets the listener for a process that ends unexpectedly after its first answer. */
  onLost(listener: () => Promise<void>): void
}

const entry = 'sandbox/secret'

/** Starts the sandbox once for all callers, with its secret from the keychain. */
export const createSandboxHost = (keychain: Keychain, start: SandboxProcess['start']) => {
  let starting: Promise<SandboxAccess> | undefined
  let running: SandboxAccess | undefined
  let persistent = false

  const secretOf = async (): Promise<SandboxSecret> => {
    const fresh = randomBytes(32).toString('hex')
    try {
      const stored = await keychain.read(entry)
      if (stored === undefined) await keychain.write(entry, fresh)
      return { secret: stored ?? fresh, persistent: true, fresh: stored === undefined }
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
    /** Fails as the start of the process does; the next call tries again. */
    start: (): Promise<SandboxAccess> => {
      if (starting !== undefined) return starting
      const attempt = startOnce().catch((error: unknown) => {
        if (starting === attempt) stopped()
        throw error
      })
      starting = attempt
      return attempt
    },
    access: (): SandboxAccess | undefined => running,
    persistent: (): boolean => persistent,
    /** Call when the process is gone or does not answer: the next start creates a new one. */
    stopped,
    /** Removes the secret, without which the world is inaccessible. Fails with keychain-unavailable. */
    forget: async (): Promise<void> => {
      stopped()
      await keychain.remove(entry)
    },
  }
}
export type SandboxHost = ReturnType<typeof createSandboxHost>
