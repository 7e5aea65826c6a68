import { readSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { IPty } from '@lydell/node-pty'
import { systemClock } from '../core/clock'

/** A program to run in a pseudo-terminal, without a shell in between. */
export interface PtyProgram {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly columns: number
  readonly rows: number
}

/** A program that runs in a pseudo-terminal. */
export interface Pty {
  /** Resolves once the program has taken so much that more may follow. */
  write(text: string): Promise<void>
  resize(columns: number, rows: number): void
  /** Nothing more is read from it until `resume`: the program waits once the system's buffer is full. */
  pause(): void
  resume(): void
  /** Hangs up, as a terminal does whose window is closed. */
  kill(): void
}

export interface PtyListener {
  /** The bytes are gone once it returns. */
  output(bytes: Uint8Array): void
  /**
   * `code` is null where a signal ended it. `isLost`: its connection was lost; absent where only its words say so. Called
   * once, after the last output.
   */
  ended(code: number | null, isLost?: boolean): void
}

/** Starts a program in a pseudo-terminal. Throws what the system says where it does not start. */
export type StartPty = (program: PtyProgram, listener: PtyListener) => Pty

/** Seconds until a program that takes no more input is asked again. */
const askAgain = 0.01
/** Bytes of input that may wait for a program before what follows has to wait. */
const maxWaitingBytes = 64 * 1024
/** Seconds after which the end of a program is its last output, as in the module. */
const lastOutput = 0.2

/**
 * What is typed, written as far as the program takes it. The module's own way waits for the program within the call,
 * for good where it has ended, and the whole application with it.
 */
function createInput(socket: ReadStream, fd: number): Pty['write'] {
  let waiting = Buffer.alloc(0)
  let isWaiting = false
  const taken: (() => void)[] = []
  const flush = (): void => {
    isWaiting = false
    try {
      // A descriptor that was closed may be that of another file by now.
      while (waiting.length > 0 && !socket.destroyed) waiting = waiting.subarray(writeSync(fd, waiting))
    } catch (error) {
      isWaiting = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    }
    if (isWaiting) systemClock.after(askAgain, flush)
    else waiting = Buffer.alloc(0)
    if (waiting.length <= maxWaitingBytes) taken.splice(0).forEach((resolve) => resolve())
  }
  return (text) => {
    waiting = Buffer.concat([waiting, Buffer.from(text)])
    if (!isWaiting) flush()
    return waiting.length <= maxWaitingBytes
      ? Promise.resolve()
      : new Promise((resolve) => taken.push(resolve))
  }
}

/** Bytes of a pseudo-terminal's largest reading on Linux, and those that are read at once at most. */
const fullReading = 4_095
const mostAtOnce = 64 * 1024
const readingSpace = Buffer.allocUnsafe(mostAtOnce)

/**
 * What follows a full reading and is there already: by itself libuv goes round the event loop, and makes 64 kB of space,
 * for every 4 kB.
 */
function readMore(fd: number, output: PtyListener['output']): void {
  let length = 0
  try {
    for (let last = fullReading; last >= fullReading && length + fullReading < mostAtOnce; length += last)
      last = readSync(fd, readingSpace, length, mostAtOnce - length, null)
  } catch {
    // Nothing more is there yet, or the program has ended, which libuv finds too.
  }
  if (length > 0) output(readingSpace.subarray(0, length))
}

/** Readings of what a program left behind, of some 4 kB each: another that it has started may print for ever. */
const mostLeft = 256

/** Reads what is left without waiting: libuv takes the first reading after a program's end for the last. */
function readRest(fd: number, output: PtyListener['output']): void {
  try {
    for (let reading = 0; reading < mostLeft; reading += 1) {
      const length = readSync(fd, readingSpace)
      if (length === 0) return
      output(readingSpace.subarray(0, length))
    }
  } catch {
    // Nothing is left, and no program holds the terminal any more.
  }
}

/** The module closes a terminal soon after its program has ended: while it is paused, that would lose what was not read. */
function createFlow(
  socket: ReadStream,
  fd: number,
  output: PtyListener['output'],
): Pick<Pty, 'pause' | 'resume'> {
  let isPaused = false
  let close: (() => void) | undefined
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (isPaused) close = () => socket.destroy(error)
    else {
      if (!socket.destroyed) readRest(fd, output)
      destroy(error)
    }
    return socket
  }
  return {
    pause(): void {
      isPaused = true
      socket.pause()
    },
    resume(): void {
      isPaused = false
      socket.resume()
      if (close) systemClock.after(lastOutput, close)
      close = undefined
    },
  }
}

/** How the module holds a terminal, but for Windows, where it writes without waiting. */
const heldBy = (child: IPty): readonly [ReadStream, number] | undefined =>
  '_socket' in child && child._socket instanceof ReadStream && 'fd' in child && typeof child.fd === 'number'
    ? [child._socket, child.fd]
    : undefined

/**
 * As the module ends a program, but on Windows: there it forks a script with this program, which as a package is no
 * Node, and would be started again.
 */
function endProgram(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // It has already ended.
  }
}

/** The system's pseudo-terminals; null where the optional module is not installed, or not for this system. */
export async function loadPty(platform = process.platform): Promise<StartPty | null> {
  try {
    const { spawn } = await import('@lydell/node-pty')
    return ({ file, args, env, folder, columns, rows }, { output, ended }) => {
      const child = spawn(file, [...args], {
        name: 'xterm-256color',
        cols: columns,
        rows,
        cwd: folder,
        env: { ...env, COLORTERM: 'truecolor' },
        // Bytes as they come: a character may be split between two readings.
        encoding: null,
      })
      const held = heldBy(child)
      // Without a second listener the module throws what goes wrong, where it cannot be caught; `close` follows.
      held?.[0].on('error', () => undefined)
      child.onData((data: unknown) => {
        const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data))
        output(bytes)
        // What the stream still holds comes before anything else.
        if (held?.[0].readableLength === 0 && bytes.length >= fullReading) readMore(held[1], output)
      })
      child.onExit(({ exitCode, signal }) => ended(signal ? null : exitCode))
      const flow = held ? createFlow(...held, output) : child
      return {
        write: held ? createInput(...held) : (text) => Promise.resolve(child.write(text)),
        resize(nextColumns, nextRows) {
          if (held?.[0].destroyed) return
          try {
            child.resize(nextColumns, nextRows)
          } catch {
            // It is just ending, and has no size any more.
          }
        },
        pause: () => flow.pause(),
        resume: () => flow.resume(),
        kill() {
          flow.resume()
          if (platform === 'win32') endProgram(child.pid)
          else child.kill()
        },
      }
    }
  } catch {
    return null
  }
}
