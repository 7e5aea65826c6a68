import type { ServerChannel, Session } from 'ssh2'
import { createClientOutput, type ClientOutput } from './client-output'
import type { Disk } from './disk/disk'
import { homeOf, hostNameOf, type SshMachine } from './machine'
import { runSftp } from './sftp/subsystem'
import { streamLine } from './shell/stream-line'
import { runInteractive } from './shell/interactive'
import type { Shell } from './shell/command'
import { Terminal } from './shell/terminal'

export interface SessionDeps {
  readonly machine: SshMachine
  readonly disk: Disk
  /** Epoch seconds. */
  readonly startedAt: number
  now(): number
  /** Aborted when the connection is gone. */
  readonly gone: AbortSignal
  /** Waits while the connection has much to send to a client that does not read. */
  drained(signal: AbortSignal): Promise<void>
  /** Called once, when the session's channel is closed. */
  closed(): void
}

/** ssh2 hands no answer where the client wants none, whatever its types say. */
type Answer = (() => void) | undefined

/** One session channel (RFC 4254 §6): a shell, one command, or SFTP. */
export function serveSession(session: Session, parts: SessionDeps): void {
  const { machine, disk } = parts
  const over = new AbortController()
  const gone = AbortSignal.any([parts.gone, over.signal])
  let started = false
  /** Width of the terminal that the client asked for. */
  let columns: number | undefined
  let terminal: Terminal | undefined

  const shell: Shell = {
    machine,
    disk,
    host: hostNameOf(machine),
    home: homeOf(machine),
    startedAt: parts.startedAt,
    now: () => parts.now(),
    columns: () => terminal?.columns,
    directory: homeOf(machine),
    status: 0,
    ended: false,
  }

  /** A session runs one program (RFC 4254 §6.5). */
  const start = (reject: Answer, begin: () => void) => {
    if (started) {
      reject?.()
      return
    }
    started = true
    begin()
  }

  const run = async (
    channel: ServerChannel,
    program: (output: ClientOutput) => Promise<number>,
  ): Promise<void> => {
    if (columns !== undefined) terminal = new Terminal(channel, columns)
    channel.on('error', () => {
      over.abort()
    })
    try {
      channel.exit(await program(createClientOutput(channel, terminal !== undefined, parts.drained)))
    } catch (error) {
      if (gone.aborted) return
      channel.stderr.write(`bash: ${error instanceof Error ? error.message : String(error)}\n`)
      channel.exit(1)
    } finally {
      channel.end()
      // What the client still sends is of no use, and would keep the channel from closing.
      channel.resume()
    }
  }

  session.on('pty', (accept: Answer, _reject, info) => {
    columns = info.cols
    accept?.()
  })
  session.on('window-change', (_accept, _reject, info) => {
    terminal?.resize(info.cols)
  })
  session.on('shell', (accept, reject: Answer) => {
    start(reject, () => {
      const channel = accept()
      void run(channel, (output) => runInteractive(shell, channel, output, terminal, gone))
    })
  })
  session.on('exec', (accept, reject: Answer, { command }) => {
    start(reject, () => {
      const channel = accept()
      const stdin = channel.iterator({ destroyOnReturn: false })
      void run(channel, (output) => streamLine(command, { shell, output, signal: gone, stdin }))
    })
  })
  session.on('subsystem', (accept, reject: Answer, { name }) => {
    if (name !== 'sftp') {
      reject?.()
      return
    }
    start(reject, () => {
      const channel = accept()
      const { home, now } = shell
      void run(channel, (output) =>
        runSftp({ disk, home, username: machine.username, now }, channel, output, gone),
      )
    })
  })
  session.on('close', () => {
    over.abort()
    // A session that never started a program stays in ssh2's table, so it stays counted.
    if (started) parts.closed()
  })
}
