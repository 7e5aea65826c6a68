import { connect } from 'node:net'

const agentTimeoutMs = 5_000
/** Longest message of OpenSSH's agent (AGENT_MAX_LEN). */
const maxAnswerBytes = 256 * 1024

/** Places that are searched for keys. */
export interface KeyPlaces {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

/** Returns the socket of the system's ssh-agent; undefined: none. */
export const agentSocket = ({ platform, env }: KeyPlaces): string | undefined =>
  env['SSH_AUTH_SOCK'] || (platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : undefined)

const requestIdentities = 11
const identitiesAnswer = 12

/** Public key of an agent. `blob`: in wire format. */
export interface AgentKey {
  readonly type: string
  readonly blob: Buffer
  readonly comment: string
}

/** Parses an answer to SSH_AGENTC_REQUEST_IDENTITIES, including its length (draft-ietf-sshm-ssh-agent). */
function keysIn(answer: Buffer): readonly AgentKey[] {
  let at = 0
  const read = (length: number): Buffer => {
    if (at + length > answer.length) throw new RangeError('the answer is cut off')
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
 * Lists all keys of an agent, also types that ssh2 leaves out, such as `sk-ssh-ed25519@openssh.com`. Null: no answer. Never
 * fails.
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
      if (answer.length > maxAnswerBytes) return end(null)
      if (!whole()) return
      try {
        end(keysIn(answer))
      } catch {
        end(null)
      }
    })
  })
