import ssh2, {
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2'
import { readKey } from './private-key'

/** Asks the user for the passphrase of a key and unlocks it; null: no passphrase. `gone` aborts once nothing needs it. */
export type AskPassphrase = <Key>(
  path: string,
  unlock: (passphrase: string, gone: AbortSignal) => Promise<Key>,
) => Promise<Key | null>

/** Questions for one passphrase, as with OpenSSH. */
const maxAttempts = 3

/**
 * An agent that holds one encrypted key. ssh2 waits for an agent's signature, so the user needs to enter the passphrase
 * only once the machine has accepted the public half. Without a public half the question comes at once, as with ssh.
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
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
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
