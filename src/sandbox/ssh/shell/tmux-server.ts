import { Duplex } from 'node:stream'
import { once } from 'node:events'
import { Terminal } from './terminal'

/** Upper bound on the output of a session that a new client sees. */
const historyBytes = 64 * 1024
/** Upper bound on the output that waits for a client, above which the session's program pauses. */
const maxWaitingBytes = 256 * 1024
/** Upper bound on the sessions of one machine. */
const maxSessions = 20

const prefixKey = 0x02
const detachKey = 'd'.charCodeAt(0)

/** Reverses the line ends of a terminal, which the output of a client adds again. */
const asLines = (data: Buffer): string => data.toString('latin1').replaceAll('\r\n', '\n')

/** Terminal of a session, which outlives its clients. */
class SessionTerminal extends Duplex {
  constructor(private readonly printed: (data: Buffer) => void) {
    super()
  }
  override _read(): void {}
  override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.printed(data)
    done()
  }
}

interface Client {
  readonly chunks: Buffer[]
  waitingBytes: number
  /** Reason why the client is no longer attached. */
  end: 'detached' | 'exited' | undefined
  wake(): void
}

export interface TmuxSession {
  readonly name: string
  /** Epoch seconds. */
  readonly createdAt: number
  isAttached(): boolean
  /** Shows the session to a client until it detaches or the session ends. Other clients are detached. */
  attach(client: {
    columns(): number | undefined
    input: AsyncIterable<Buffer>
  }): AsyncGenerator<{ readonly to: 'stdout'; readonly data: string }, number, undefined>
  kill(): void
}

/** Runs a shell in a terminal until it ends or `signal` aborts. `write` prints, and waits while nobody reads. */
export type RunShell = (session: {
  readonly channel: Duplex
  readonly terminal: Terminal
  readonly signal: AbortSignal
  write(data: Buffer, signal: AbortSignal): Promise<void>
}) => Promise<unknown>

function createSession(
  name: string,
  createdAt: number,
  columns: number,
  run: RunShell,
  ended: () => void,
): TmuxSession {
  let history = Buffer.alloc(0)
  let unseenBytes = 0
  let client: Client | undefined
  const killed = new AbortController()
  const room = new EventTarget()
  const channel = new SessionTerminal((data) => {
    history = Buffer.concat([history, data]).subarray(-historyBytes)
    if (!client) return void (unseenBytes += data.length)
    client.chunks.push(data)
    client.waitingBytes += data.length
    client.wake()
  })
  const terminal = new Terminal(channel, columns)
  const isFull = () => (client ? client.waitingBytes > maxWaitingBytes : unseenBytes > historyBytes)

  function detach(end: Client['end']): void {
    if (!client) return
    client.end = end
    client.wake()
    client = undefined
    unseenBytes = 0
  }

  async function write(data: Buffer, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    channel.write(data)
    while (isFull()) await once(room, 'room', { signal })
  }
  void run({ channel, terminal, signal: killed.signal, write })
    .catch(() => undefined)
    .finally(() => {
      detach('exited')
      ended()
    })

  /** Passes the client's input to the session. Ctrl+B, then d detaches. */
  async function passInput(of: Client, input: AsyncIterable<Buffer>, widen: () => void): Promise<void> {
    let isPrefixed = false
    for await (const data of input) {
      if (of.end) return
      widen()
      const typed: number[] = []
      for (const byte of data) {
        if (isPrefixed && byte === detachKey) return
        if (byte === prefixKey && !isPrefixed) isPrefixed = true
        else {
          isPrefixed = false
          typed.push(byte)
        }
      }
      channel.push(Buffer.from(typed))
    }
  }

  return {
    name,
    createdAt,
    isAttached: () => client !== undefined,
    async *attach({ columns: width, input }) {
      detach('detached')
      let wake = (): void => undefined
      const own: Client = { chunks: [], waitingBytes: 0, end: undefined, wake: () => wake() }
      client = own
      const widen = () => terminal.resize(width() ?? 0)
      widen()
      room.dispatchEvent(new Event('room'))
      try {
        yield { to: 'stdout', data: `\x1b[?1049h\x1b[H\x1b[2J${asLines(history)}` }
        void passInput(own, input, widen)
          .catch(() => undefined)
          .finally(() => {
            if (client === own) detach('detached')
          })
        for (;;) {
          const data = own.chunks.shift()
          if (data) {
            own.waitingBytes -= data.length
            room.dispatchEvent(new Event('room'))
            yield { to: 'stdout', data: asLines(data) }
          } else if (own.end) break
          else await new Promise<void>((resolve) => (wake = resolve))
        }
        const end = own.end === 'exited' ? '[exited]' : `[detached (from session ${name})]`
        yield { to: 'stdout', data: `\x1b[?1049l${end}\n` }
        return 0
      } finally {
        if (client === own) detach('detached')
      }
    },
    kill: () => killed.abort(),
  }
}

/** Creates the tmux server of one machine, whose sessions continue without a client. `now`: epoch seconds. */
export function createTmuxServer(run: RunShell, now: () => number) {
  const sessions = new Map<string, TmuxSession>()
  return {
    sessions: (): readonly TmuxSession[] => Array.from(sessions.values()),
    find: (name: string): TmuxSession | undefined => sessions.get(name),
    /** Returns undefined if the machine has too many sessions. */
    create(name: string, columns: number): TmuxSession | undefined {
      if (sessions.size >= maxSessions) return undefined
      const session = createSession(name, Math.floor(now()), columns, run, () => sessions.delete(name))
      sessions.set(name, session)
      return session
    },
    close: (): void => sessions.forEach((session) => session.kill()),
  }
}
export type TmuxServer = ReturnType<typeof createTmuxServer>
