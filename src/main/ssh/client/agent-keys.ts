import { connect } from 'node:net'

/** Milliseconds that an agent has to answer. */
const agentTimeoutMs = 5_000
/** OpenSSH's agent sends no longer message (AGENT_MAX_LEN). */
const longestAnswer = 256 * 1024

/** Where keys are looked for. */
export interface KeyPlaces {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

/** Where the system's ssh-agent listens; undefined where there is none. */
export const agentSocket = ({ platform, env }: KeyPlaces): string | undefined =>
  env['SSH_AUTH_SOCK'] || (platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : undefined)

const requestIdentities = 11
const identitiesAnswer = 12

/** A public key that an agent holds, as it goes over the wire. */
export interface AgentKey {
  readonly type: string
  readonly blob: Buffer
  readonly comment: string
}

/** The keys in an answer to SSH_AGENTC_REQUEST_IDENTITIES, its length first (draft-ietf-sshm-ssh-agent). */
function keysIn(answer: Buffer): readonly AgentKey[] {
  let at = 0
  const read = (length: number): Buffer => {
    if (at + length > answer.length) throw new RangeError('the answer is shorter than it says')
    at += length
    return answer.subarray(at - length, at)
  }
  const readNumber = (): number => read(4).readUInt32BE()
  readNumber()
  if (read(1)[0] !== identitiesAnswer) return []
  const keys: AgentKey[] = []
  for (let left = readNumber(); left > 0; left -= 1) {
    const blob = read(readNumber())
    const comment = read(readNumber()).toString('utf8')
    keys.push({ type: blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1'), blob, comment })
  }
  return keys
}

/**
 * All keys that an agent holds, also those that ssh2 leaves out of its list, such as `sk-ssh-ed25519@openssh.com`.
 * Null where it does not answer. Never fails.
 */
export const agentKeys = (path: string): Promise<readonly AgentKey[] | null> =>
  new Promise((resolve) => {
    const socket = connect(path)
    let answer = Buffer.alloc(0)
    const end = (keys: readonly AgentKey[] | null): void => {
      socket.destroy()
      resolve(keys)
    }
    const whole = (): boolean => answer.length >= 4 && answer.length >= 4 + answer.readUInt32BE(0)
    socket.setTimeout(agentTimeoutMs, () => end(null))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('connect', () => socket.write(Buffer.from([0, 0, 0, 1, requestIdentities])))
    socket.on('data', (data: Buffer) => {
      answer = Buffer.concat([answer, data])
      if (answer.length > longestAnswer) return end(null)
      if (!whole()) return
      try {
        end(keysIn(answer))
      } catch {
        end(null)
      }
    })
  })
