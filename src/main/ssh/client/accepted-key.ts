import { connect } from 'node:net'
import ssh2, { type AgentAuthMethod, type IdentityCallback, type ParsedKey } from 'ssh2'
import { onAbort } from '../../core/on-abort'
import { type HostKey, hostKeyOf } from './host-key'
import { allowedAlgorithms, endsSignIn, hostKeyProblem } from './host-key-check'

/** Seconds for all connections together. */
const probeTimeoutSeconds = 5
/** A server with OpenSSH's MaxAuthTries of 6 hangs up on the sixth key that it refuses. */
const keysAtOnce = 5
const mostConnections = 6
/** OpenSSH since 9.8 locks an address out after three such connections (sshd_config(5), PerSourcePenalties). */
const mostPenalized = 2
const penalizes = (banner: string): boolean => {
  const [, major, minor] = /^SSH-2\.0-OpenSSH_(\d+)\.(\d+)/.exec(banner) ?? []
  return Number(major) * 100 + Number(minor) >= 908
}

export interface AskedMachine {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine; none: any is taken, as at first contact. */
  readonly known: readonly HostKey[]
}

/** A public key of any type, that of a certificate or of hardware too, which ssh2 cannot read by itself. */
function publicKey(blob: Buffer, onAsk: () => void): ParsedKey {
  const type = 'ssh-ed25519'
  const empty = Buffer.concat([
    Buffer.from([0, 0, 0, type.length]),
    Buffer.from(type),
    Buffer.from([0, 0, 0, 32]),
  ])
  const key = ssh2.utils.parseKey(`${type} ${Buffer.concat([empty, Buffer.alloc(32)]).toString('base64')}`)
  if (key instanceof Error) throw key
  const own = hostKeyOf(blob).type
  // Servers refuse SHA-1, which the certificate's type names (RFC 8332).
  const value = own === 'ssh-rsa-cert-v01@openssh.com' ? 'rsa-sha2-512-cert-v01@openssh.com' : own
  Object.defineProperty(key, 'type', { value })
  key.getPublicSSH = () => {
    onAsk()
    return blob
  }
  return key
}

/** Holds public keys, and is asked to sign with the one that a machine accepts. */
class Candidates extends ssh2.BaseAgent<ParsedKey> {
  asked = -1

  constructor(
    private readonly blobs: readonly Buffer[],
    private readonly accepted: (key: Buffer) => void,
  ) {
    super()
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(
      undefined,
      this.blobs.map((blob, index) => publicKey(blob, () => (this.asked = index))),
    )
  }

  override sign(): void {
    const key = this.blobs[this.asked]
    if (key) this.accepted(key)
  }
}

interface Answer {
  /** Undefined: none of those that were asked about. */
  readonly accepted?: Buffer
  /** How many were asked about; 0: the machine did not answer. */
  readonly asked: number
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
      settle({ asked: 0 })
    }
    const agent = new Candidates(keys, (accepted) => settle({ accepted, asked: agent.asked + 1 }))
    const method: AgentAuthMethod = { type: 'agent', username, agent }
    if (signal.aborted) return giveUp()
    sock.once('data', (data) => (banner = data.toString('latin1')))
    client.on('error', (error) => {
      // The key for which a server hangs up is refused as well.
      const isRefused =
        error.level === 'client-authentication' || (error.level === undefined && endsSignIn(error))
      settle({ asked: isRefused ? agent.asked + 1 : 0 })
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
 * Which of the public keys a machine would accept, in their order: asked without a signature (RFC 4252 §7), so that
 * nobody is asked for a passphrase or a touch. Null: none; undefined: it did not answer. Never rejects, and takes five seconds at most.
 */
export async function acceptedKey(
  machine: AskedMachine,
  keys: readonly Buffer[],
): Promise<Buffer | null | undefined> {
  const signal = AbortSignal.timeout(probeTimeoutSeconds * 1_000)
  let left = keys
  for (let count = 1; count <= mostConnections && left.length > 0; count += 1) {
    const { accepted, asked, banner } = await ask(machine, left.slice(0, keysAtOnce), signal)
    if (accepted) return accepted
    if (asked === 0) return undefined
    left = left.slice(asked)
    if (count === mostPenalized && penalizes(banner)) return null
  }
  return null
}
