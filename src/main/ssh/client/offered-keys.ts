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
import { readKeyFile } from './key-file'
import { agentKeys, agentSocket, type KeyPlaces } from './agent-keys'
import { publicHalfBytes, readStart } from './identities'
import { type AskPassphrase, LockedKey } from './locked-key'
import { readKey, type UnusableKey } from './private-key'

/** A key that is offered to a machine. `name`: its path, or `ssh-agent`. */
export interface OfferedKey {
  readonly name: string
  readonly method: PublicKeyAuthMethod | AgentAuthMethod
}

/** Default files of ssh, in its order (ssh_config(5), IdentityFile). */
const usualNames = ['id_rsa', 'id_ecdsa', 'id_ed25519'] as const
/** Default files of OpenSSH with keys that ssh2 cannot use (ssh(1), FILES). */
const foreignNames = ['id_ecdsa_sk', 'id_ed25519_sk', 'id_mldsa44_ed25519', 'id_xmss', 'id_dsa'] as const
/** Time in which an agent lists its keys. */
const agentTimeoutMs = 5_000

/** All keys have types that ssh2 cannot use, such as `sk-ssh-ed25519@openssh.com` of a security key. */
interface UnsupportedKeys {
  readonly kind: 'keys-unsupported'
  readonly types: string[]
}

/** Why there is no key to offer. */
export type NoKey = { readonly kind: 'no-key' } | UnusableKey | UnsupportedKeys

export type KeyOffer =
  | {
      readonly kind: 'keys'
      readonly keys: readonly OfferedKey[]
      /** Number of offered keys; each key of an agent counts. */
      readonly count: number
      /** Files with keys that are not offered, such as encrypted ones: the system's ssh may use them. */
      readonly unoffered: readonly string[]
      /** Public key of the last signature: once connected, the key that the machine accepted. */
      signedWith(): Buffer | undefined
    }
  | NoKey

/** Lists the public keys of an agent; empty if it doesn't run or answer. */
function heldBy(agent: BaseAgent): Promise<readonly ParsedKey[]> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, agentTimeoutMs, [])
    agent.getIdentities((_error, keys) => {
      clearTimeout(giveUp)
      const parsed = (keys ?? []).flatMap((key) => {
        const publicKey = typeof key === 'string' || Buffer.isBuffer(key) ? ssh2.utils.parseKey(key) : key
        return 'getPublicSSH' in publicKey ? [publicKey] : []
      })
      resolve(parsed)
    })
  })
}

const isSame = (a: ParsedKey, b: ParsedKey): boolean => a.getPublicSSH().equals(b.getPublicSSH())

/** An agent restricted to some of its keys, as with IdentitiesOnly of ssh. */
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

/** Returns the type of a security key's file, by its public key file; undefined for other keys. */
async function securityKeyType(path: string): Promise<string | undefined> {
  return /^sk-\S+/.exec(await publicText(path))?.[0]
}

/** Reads the public half of an encrypted key, from the key file or its public key file. */
async function lockedFile(path: string) {
  const file = await readKeyFile(path)
  const parsed = file?.blob ? ssh2.utils.parseKey(file.blob) : undefined
  const half = parsed instanceof Error ? undefined : parsed
  return { path, half, staysLocked: file?.staysLocked ?? false }
}

/**
 * Returns the keys to offer, as ssh would choose them: only the identity file if there is one; else the keys of the agent
 * and the default files in ~/.ssh that the agent doesn't hold, since a server limits the attempts. An encrypted file is
 * offered through the agent if that holds it unlocked, else with `passphrase` if that is given.
 */
export async function offeredKeys(
  username: string,
  identityFile: string | null,
  places: KeyPlaces,
  /** Whether a key is offered first: the key that opened the machine before. */
  isPreferred: (key: Buffer) => boolean = () => false,
  passphrase?: AskPassphrase,
): Promise<KeyOffer> {
  const socket = agentSocket(places)
  const agent = socket === undefined ? undefined : ssh2.createAgent(socket)
  let signed: ParsedKey | undefined
  const signs = (key: ParsedKey): void => {
    signed = key
  }
  const offer = (
    keys: readonly OfferedKey[],
    unoffered: readonly string[] = [],
    count = keys.length,
  ): KeyOffer => ({
    kind: 'keys',
    keys,
    count,
    unoffered,
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

  const locked = ({ path, half, staysLocked }: Awaited<ReturnType<typeof lockedFile>>) =>
    passphrase === undefined || staysLocked
      ? []
      : [
          {
            name: path,
            method: { type: 'agent', username, agent: new LockedKey(path, half, passphrase, signs) },
          } as const,
        ]

  if (identityFile !== null) {
    const key = await readKey(identityFile)
    if (!('kind' in key)) return offer([fromFile(identityFile, key)])
    const type = key.why === 'missing' ? undefined : await securityKeyType(identityFile)
    if (type !== undefined) return { kind: 'keys-unsupported', types: [type] }
    if (key.why !== 'encrypted') return key
    const file = await lockedFile(identityFile)
    const { half } = file
    const held = agent && half ? (await heldBy(agent)).filter((candidate) => isSame(candidate, half)) : []
    const keys = held.length > 0 ? fromAgent(identityFile, held) : locked(file)
    return keys.length === 0 ? key : offer(keys)
  }
  const { join } = places.platform === 'win32' ? win32 : posix
  const held = (agent ? await heldBy(agent) : []).toSorted(
    (a, b) => Number(isPreferred(b.getPublicSSH())) - Number(isPreferred(a.getPublicSSH())),
  )
  const unoffered: string[] = []
  for (const name of foreignNames) {
    const path = join(places.home, '.ssh', name)
    if ((await readStart(path, 1).catch(() => '')) !== '') unoffered.push(path)
  }
  const preferred: OfferedKey[] = []
  const further: OfferedKey[] = []
  for (const name of usualNames) {
    const path = join(places.home, '.ssh', name)
    const key = await readKey(path)
    if ('kind' in key && key.why !== 'encrypted') {
      if (key.why !== 'missing') unoffered.push(path)
      continue
    }
    const file = 'kind' in key ? await lockedFile(path) : null
    const half = 'kind' in key ? file?.half : key
    if (half && held.some((agentKey) => isSame(agentKey, half))) continue
    const list = half && isPreferred(half.getPublicSSH()) ? preferred : further
    if (file) {
      const opened = locked(file)
      list.push(...opened)
      if (opened.length === 0) unoffered.push(path)
    } else if (!('kind' in key)) list.push(fromFile(path, key))
  }
  const offered = [...preferred, ...fromAgent('ssh-agent', held), ...further]
  const count = preferred.length + held.length + further.length
  if (offered.length > 0) return offer(offered, unoffered, count)
  const left = socket === undefined ? [] : ((await agentKeys(socket)) ?? [])
  const types = left.map(({ type }) => type)
  return types.length === 0 ? { kind: 'no-key' } : { kind: 'keys-unsupported', types: [...new Set(types)] }
}
