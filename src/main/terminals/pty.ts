import { readSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { IPty } from '@lydell/node-pty'
import { systemClock } from '../core/clock'

/** Program to run in a pseudo-terminal, without a shell. */
export interface PtyProgram {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly columns: number
  readonly rows: number
}

export interface Pty {
  write(text: string): Promise<void>
  resize(columns: number, rows: number): void
  /** Stops reading until `resume`: the program waits once the system's buffer is full. */
  pause(): void
  resume(): void
  kill(): void
}

export interface PtyListener {
  /** The bytes are valid only during the call. */
  output(bytes: Uint8Array): void
  /**
   * Called once, after the last output. `code`: null after a signal. `isLost`: the connection was lost; absent if only the
   * output shows it.
   */
  ended(code: number | null, isLost?: boolean): void
}

/** Starts a program in a pseudo-terminal. Throws the system's error if the program does not start. */
export type StartPty = (program: PtyProgram, listener: PtyListener) => Pty

/** Seconds until the next attempt to write to a program that accepts no input. */
const retryWriteSeconds = 0.01
/** Bytes of input that wait for a program before `write` waits. */
const maxWaitingBytes = 64 * 1024
/** Seconds from the end of a program until its terminal closes, as in the module. */
const lastOutputSeconds = 0.2

/**
 * Writes input as fast as the program accepts it. The module's own `write` blocks the application until the program reads,
 * and forever once the program has ended.
 */
function createInput(socket: ReadStream, fd: number): Pty['write'] {
  let waiting = Buffer.alloc(0)
  let isWaiting = false
  const writers: (() => void)[] = []
  const flush = (): void => {
    isWaiting = false
    try {
      // The system may reuse a closed descriptor for another file.
      while (waiting.length > 0 && !socket.destroyed) waiting = waiting.subarray(writeSync(fd, waiting))
    } catch (error) {
      isWaiting = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    }
    if (isWaiting) systemClock.after(retryWriteSeconds, flush)
    else waiting = Buffer.alloc(0)
    if (waiting.length <= maxWaitingBytes) writers.splice(0).forEach((resolve) => resolve())
  }
  return (text) => {
    waiting = Buffer.concat([waiting, Buffer.from(text)])
    if (!isWaiting) flush()
    return waiting.length <= maxWaitingBytes
      ? Promise.resolve()
      : new Promise((resolve) => writers.push(resolve))
  }
}

/** Bytes of the largest read from a pseudo-terminal on Linux. */
const fullReadBytes = 4_095
const bufferBytes = 64 * 1024
const readBuffer = Buffer.allocUnsafe(bufferBytes)

/** Reads available output after a full read. libuv would use an event loop turn and a 64 kB buffer for every 4 kB. */
function readMore(fd: number, output: PtyListener['output']): void {
  let length = 0
  try {
    for (
      let last = fullReadBytes;
      last >= fullReadBytes && length + fullReadBytes < bufferBytes;
      length += last
    )
      last = readSync(fd, readBuffer, length, bufferBytes - length, null)
  } catch {
    // No more output yet, or the program has ended, which libuv detects too.
  }
  if (length > 0) output(readBuffer.subarray(0, length))
}

/** Reads of about 4 kB after the end of a program. Its child processes may print forever. */
const maxRestReads = 256

/** Reads the remaining output without waiting: libuv stops after the first read that follows a program's end. */
function readRest(fd: number, output: PtyListener['output']): void {
  try {
    for (let reads = 0; reads < maxRestReads; reads += 1) {
      const length = readSync(fd, readBuffer)
      if (length === 0) return
      output(readBuffer.subarray(0, length))
    }
  } catch {
    // No output remains, and no program has the terminal open.
  }
}

/** Delays the module's closing of an ended terminal while it is paused, so that unread output is not lost. */
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
      if (close) systemClock.after(lastOutputSeconds, close)
      close = undefined
    },
  }
}

/** Returns the module's socket and descriptor of a terminal; undefined on Windows, whose writes do not block. */
const socketOf = (child: IPty): readonly [ReadStream, number] | undefined =>
  '_socket' in child && child._socket instanceof ReadStream && 'fd' in child && typeof child.fd === 'number'
    ? [child._socket, child.fd]
    : undefined

/** Ends a program on Windows. The module would fork a script with this executable; the packaged application is not Node. */
function endProgram(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // The program has already ended.
  }
}

/** Loads the system's pseudo-terminals; null if the optional module is not installed or does not support the system. */
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
        // Raw bytes: a character may be split between two reads.
        encoding: null,
      })
      const [socket, fd] = socketOf(child) ?? []
      // The module throws errors that cannot be caught unless there is a second listener; `close` follows.
      socket?.on('error', () => undefined)
      child.onData((data: unknown) => {
        const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data))
        output(bytes)
        // Data buffered in the stream comes first.
        if (fd !== undefined && socket?.readableLength === 0 && bytes.length >= fullReadBytes)
          readMore(fd, output)
      })
      child.onExit(({ exitCode, signal }) => ended(signal ? null : exitCode))
      const isUnix = socket !== undefined && fd !== undefined
      const flow = isUnix ? createFlow(socket, fd, output) : child
      return {
        write: isUnix ? createInput(socket, fd) : (text) => Promise.resolve(child.write(text)),
        resize(nextColumns, nextRows) {
          if (socket?.destroyed) return
          try {
            child.resize(nextColumns, nextRows)
          } catch {
            // The program is ending and has no size.
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
