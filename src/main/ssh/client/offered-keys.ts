import { posix, win32 } from 'node:path'
import ssh2, {
  type AgentAuthMethod,
  type BaseAgent,
  type IdentityCallback,
  type ParsedKey,
  type PublicKeyAuthMethod,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2'
import { agentKeys, agentSocket, type KeyPlaces } from './agent-keys'
import { publicHalfBytes, readStart } from './identities'
import { openSshFromPkcs8 } from './pkcs8'

/** A key that a machine is offered; `name` is its path, or `ssh-agent`. */
export interface OfferedKey {
  readonly name: string
  readonly method: PublicKeyAuthMethod | AgentAuthMethod
}

/** ssh's own choice where no file is named, in its order (ssh_config(5), IdentityFile). */
const usualNames = ['id_rsa', 'id_ecdsa', 'id_ed25519'] as const
/** Bytes; a private key is longer than that only by mistake. */
const longestKey = 100_000
/** Seconds that an agent has to say which keys it holds. */
const agentAnswers = 5

/** An identity file that cannot be used. */
interface UnusableKey {
  readonly kind: 'key-unusable'
  readonly path: string
  readonly why: 'missing' | 'encrypted' | 'not-understood'
}

/** There are keys, all of types that ssh2 cannot use, such as those of a security key (`sk-ssh-ed25519@openssh.com`). */
interface UnsupportedKeys {
  readonly kind: 'keys-unsupported'
  readonly types: string[]
}

/** Why there is no key to offer. */
export type NoKey = { readonly kind: 'no-key' } | UnusableKey | UnsupportedKeys

/** The keys to offer, or why there is none. */
export type KeyOffer =
  | {
      readonly kind: 'keys'
      readonly keys: readonly OfferedKey[]
      /** The public key of the last signature: once a connection is open, the one that opened it. */
      signedWith(): Buffer | undefined
    }
  | NoKey

/** The private key in a file, as ssh2 takes it. */
async function readKey(path: string): Promise<ParsedKey | UnusableKey> {
  const unusable = (why: UnusableKey['why']): UnusableKey => ({ kind: 'key-unusable', path, why })
  let text: string
  try {
    text = await readStart(path, longestKey + 1)
  } catch {
    // Whatever the system's reason: ssh would continue without the file; here it is an error.
    return unusable('missing')
  }
  if (text.length > longestKey) return unusable('not-understood')
  const parsed = parse(text)
  if (!(parsed instanceof Error)) return parsed.isPrivateKey() ? parsed : unusable('not-understood')
  const isEncrypted = /encrypted|passphrase/i.test(parsed.message) || text.includes('ENCRYPTED')
  return unusable(isEncrypted ? 'encrypted' : 'not-understood')
}

function parse(text: string): ParsedKey | Error {
  const own = ssh2.utils.parseKey(text)
  if (!(own instanceof Error)) return own
  const converted = openSshFromPkcs8(text)
  const parsed = converted === undefined ? own : ssh2.utils.parseKey(converted)
  return parsed instanceof Error ? own : parsed
}

/** The public keys that an agent holds; none where it does not run or does not answer. */
function heldBy(agent: BaseAgent): Promise<readonly ParsedKey[]> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, agentAnswers * 1_000, [])
    agent.getIdentities((_error, keys) => {
      clearTimeout(giveUp)
      const parsed = (keys ?? []).flatMap((key) => {
        const one = typeof key === 'string' || Buffer.isBuffer(key) ? ssh2.utils.parseKey(key) : key
        return 'getPublicSSH' in one ? [one] : []
      })
      resolve(parsed)
    })
  })
}

/** An agent of which only these keys are used, as ssh does with IdentitiesOnly. */
class AgentWithKeys extends ssh2.BaseAgent<ParsedKey> {
  constructor(
    private readonly agent: BaseAgent,
    private readonly keys: readonly ParsedKey[],
    private readonly signs: (key: ParsedKey) => void,
  ) {
    super()
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(undefined, [...this.keys])
  }

  override sign(
    key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    this.signs(key)
    if (typeof options === 'function') this.agent.sign(key, data, options)
    else this.agent.sign(key, data, options, done)
  }
}

const publicText = (path: string): Promise<string> =>
  readStart(`${path}.pub`, publicHalfBytes).catch(() => '')

/** The type of a key whose private half is in a security key, by the public half beside the file. */
async function securityKeyType(path: string): Promise<string | undefined> {
  return /^sk-\S+/.exec(await publicText(path))?.[0]
}

/** The public half beside a private key. */
async function publicHalf(path: string): Promise<Buffer | undefined> {
  const text = await publicText(path)
  const parsed = ssh2.utils.parseKey(text)
  return parsed instanceof Error ? undefined : parsed.getPublicSSH()
}

/**
 * The keys to offer, as ssh would: the identity file alone, where one is named; else what the agent holds and the
 * usual files in ~/.ssh that it does not hold: a server admits only so many attempts. An encrypted file is offered
 * through the agent, where that holds it opened; its passphrase is never asked for here.
 */
export async function offeredKeys(
  username: string,
  identityFile: string | null,
  places: KeyPlaces,
  /** Whether a key comes before the others: the one that opened the machine before. */
  isPreferred: (key: Buffer) => boolean = () => false,
): Promise<KeyOffer> {
  const socket = agentSocket(places)
  const agent = socket === undefined ? undefined : ssh2.createAgent(socket)
  let signed: ParsedKey | undefined
  const signs = (key: ParsedKey): void => {
    signed = key
  }
  const offer = (keys: readonly OfferedKey[]): KeyOffer => ({
    ...{ kind: 'keys', keys },
    signedWith: () => signed?.getPublicSSH(),
  })
  const fromFile = (name: string, key: ParsedKey): OfferedKey => {
    const sign = key.sign.bind(key)
    key.sign = (data, algorithm) => {
      signs(key)
      return sign(data, algorithm)
    }
    return { name, method: { type: 'publickey', username, key } }
  }
  const fromAgent = (name: string, keys: readonly ParsedKey[]): readonly OfferedKey[] =>
    agent === undefined || keys.length === 0
      ? []
      : [{ name, method: { type: 'agent', username, agent: new AgentWithKeys(agent, keys, signs) } }]

  if (identityFile !== null) {
    const key = await readKey(identityFile)
    if (!('kind' in key)) return offer([fromFile(identityFile, key)])
    const type = key.why === 'missing' ? undefined : await securityKeyType(identityFile)
    if (type !== undefined) return { kind: 'keys-unsupported', types: [type] }
    const wanted = key.why === 'encrypted' && agent ? await publicHalf(identityFile) : undefined
    if (agent === undefined || wanted === undefined) return key
    const held = (await heldBy(agent)).filter((one) => one.getPublicSSH().equals(wanted))
    return held.length === 0 ? key : offer(fromAgent(identityFile, held))
  }
  const { join } = places.platform === 'win32' ? win32 : posix
  const held = (agent ? await heldBy(agent) : []).toSorted(
    (a, b) => Number(isPreferred(b.getPublicSSH())) - Number(isPreferred(a.getPublicSSH())),
  )
  const preferred: OfferedKey[] = []
  const others: OfferedKey[] = []
  for (const name of usualNames) {
    const path = join(places.home, '.ssh', name)
    const key = await readKey(path)
    if ('kind' in key || held.some((one) => one.getPublicSSH().equals(key.getPublicSSH()))) continue
    const list = isPreferred(key.getPublicSSH()) ? preferred : others
    list.push(fromFile(path, key))
  }
  const offered = [...preferred, ...fromAgent('ssh-agent', held), ...others]
  if (offered.length > 0) return offer(offered)
  const left = socket === undefined ? [] : ((await agentKeys(socket)) ?? [])
  const types = left.map(({ type }) => type)
  return types.length === 0 ? { kind: 'no-key' } : { kind: 'keys-unsupported', types: [...new Set(types)] }
}
