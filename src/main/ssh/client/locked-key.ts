import ssh2, {
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2'
import { readKey } from './private-key'

/** Asks the person for the passphrase of a key, and what it unlocks; null: none is given. `gone`: nobody waits for it. */
export type AskPassphrase = <Key>(
  path: string,
  unlock: (passphrase: string, gone: AbortSignal) => Promise<Key>,
) => Promise<Key | null>

/** As often as OpenSSH asks for one passphrase. */
const tries = 3

/**
 * An encrypted key as an agent that holds it alone: ssh2 waits for an agent's signature, so that the passphrase is asked
 * for once the machine has accepted the public half. Where that is not known, it is asked for at once, as by ssh.
 */
export class LockedKey extends ssh2.BaseAgent<ParsedKey> {
  private unlocked: Promise<ParsedKey> | undefined

  constructor(
    private readonly path: string,
    private readonly publicKey: ParsedKey | undefined,
    private readonly passphrase: AskPassphrase,
    private readonly signs: (key: ParsedKey) => void,
  ) {
    super()
  }

  private async unlock(): Promise<ParsedKey> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const key = await this.passphrase(this.path, (passphrase, gone) => readKey(this.path, passphrase, gone))
      if (key === null) break
      if (!('kind' in key)) return key
      if (key.why !== 'encrypted') break
    }
    throw new Error(`${this.path} stays locked`)
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    if (this.publicKey) return done(undefined, [this.publicKey])
    this.unlocked ??= this.unlock()
    this.unlocked.then((key) => done(undefined, [key]), done)
  }

  override sign(
    _key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const [reply, hash] = typeof options === 'function' ? [options, undefined] : [done, options.hash]
    this.unlocked ??= this.unlock()
    this.unlocked
      .then((key) => {
        this.signs(key)
        const signature: Buffer | Error = key.sign(data, hash)
        if (signature instanceof Error) throw signature
        return signature
      })
      .then(
        (signature) => reply?.(undefined, signature),
        (error: Error) => reply?.(error),
      )
  }
}
