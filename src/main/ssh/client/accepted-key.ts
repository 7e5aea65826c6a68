import { connect } from 'node:net'
import ssh2, { type AgentAuthMethod, type IdentityCallback, type ParsedKey } from 'ssh2'
import { onAbort } from '../../core/on-abort'
import { type HostKey, hostKeyOf } from './host-key'
import { allowedAlgorithms, endsSignIn, hostKeyProblem } from './host-key-check'

/** Limit for all connections together. */
const probeTimeoutSeconds = 5
/** A server with OpenSSH's MaxAuthTries of 6 hangs up on the sixth key that it refuses. */
const keysAtOnce = 5
const maxConnections = 6
/** OpenSSH 9.8 and later refuse an address after three such connections (sshd_config(5), PerSourcePenalties). */
const maxPenalizedConnections = 2
const penalizes = (banner: string): boolean => {
  const [, major, minor] = /^SSH-2\.0-OpenSSH_(\d+)\.(\d+)/.exec(banner) ?? []
  return Number(major) * 100 + Number(minor) >= 908
}

export interface AskedMachine {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine. If there are none, any key is accepted, as at first contact. */
  readonly known: readonly HostKey[]
}

/** Wraps a public key of any type for ssh2, which cannot read certificates and keys of hardware. */
function publicKey(blob: Buffer, onOffer: () => void): ParsedKey {
  const type = 'ssh-ed25519'
  const empty = Buffer.concat([
    Buffer.from([0, 0, 0, type.length]),
    Buffer.from(type),
    Buffer.from([0, 0, 0, 32]),
  ])
  const key = ssh2.utils.parseKey(`${type} ${Buffer.concat([empty, Buffer.alloc(32)]).toString('base64')}`)
  if (key instanceof Error) throw key
  const own = hostKeyOf(blob).type
  // The type of an RSA certificate implies SHA-1, which servers refuse (RFC 8332).
  const value = own === 'ssh-rsa-cert-v01@openssh.com' ? 'rsa-sha2-512-cert-v01@openssh.com' : own
  Object.defineProperty(key, 'type', { value })
  key.getPublicSSH = () => {
    onOffer()
    return blob
  }
  return key
}

/** An agent with public keys only. ssh2 asks it to sign with the key that a machine accepts. */
class Candidates extends ssh2.BaseAgent<ParsedKey> {
  offeredIndex = -1

  constructor(
    private readonly blobs: readonly Buffer[],
    private readonly accepted: (key: Buffer) => void,
  ) {
    super()
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(
      undefined,
      this.blobs.map((blob, index) => publicKey(blob, () => (this.offeredIndex = index))),
    )
  }

  override sign(): void {
    const key = this.blobs[this.offeredIndex]
    if (key) this.accepted(key)
  }
}

interface Answer {
  /** Undefined: the machine accepted no offered key. */
  readonly accepted?: Buffer
  /** Number of offered keys; 0: the machine did not answer. */
  readonly offered: number
  readonly banner: string
}

function ask(machine: AskedMachine, keys: readonly Buffer[], signal: AbortSignal): Promise<Answer> {
  const { user: username, host, port, known } = machine
  return new Promise((resolve) => {
    let banner = ''
    const client = new ssh2.Client()
    const sock = connect({ host, port, noDelay: true })
    const stop = onAbort(signal, giveUp)
    function settle(answer: Omit<Answer, 'banner'>): void {
      stop()
      resolve({ ...answer, banner })
      sock.destroy()
    }
    function giveUp(): void {
      settle({ offered: 0 })
    }
    const agent = new Candidates(keys, (accepted) => settle({ accepted, offered: agent.offeredIndex + 1 }))
    const method: AgentAuthMethod = { type: 'agent', username, agent }
    if (signal.aborted) return giveUp()
    sock.once('data', (data) => (banner = data.toString('latin1')))
    client.on('error', (error) => {
      // A server refuses the key at which it hangs up.
      const isRefused =
        error.level === 'client-authentication' || (error.level === undefined && endsSignIn(error))
      settle({ offered: isRefused ? agent.offeredIndex + 1 : 0 })
    })
    client.on('close', giveUp)
    client.on('ready', giveUp)
    client.connect({
      sock,
      username,
      readyTimeout: 0,
      algorithms: allowedAlgorithms(known),
      authHandler: [method],
      hostVerifier: (blob: Buffer) =>
        known.length === 0 || hostKeyProblem({ host, port, known }, hostKeyOf(blob)) === undefined,
    })
  })
}

/**
 * Finds the first public key that a machine would accept. Offers them without a signature (RFC 4252 §7), so no key needs a
 * passphrase or a touch. Null: none. Undefined: the machine did not answer. Never rejects, and takes five seconds at most.
 */
export async function acceptedKey(
  machine: AskedMachine,
  keys: readonly Buffer[],
): Promise<Buffer | null | undefined> {
  const signal = AbortSignal.timeout(probeTimeoutSeconds * 1_000)
  let left = keys
  for (let count = 1; count <= maxConnections && left.length > 0; count += 1) {
    const { accepted, offered, banner } = await ask(machine, left.slice(0, keysAtOnce), signal)
    if (accepted) return accepted
    if (offered === 0) return undefined
    left = left.slice(offered)
    if (count === maxPenalizedConnections && penalizes(banner)) return null
  }
  return null
}
