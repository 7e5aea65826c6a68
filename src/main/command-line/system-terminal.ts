import { spawnSync } from 'node:child_process'
import { createReadStream, fstatSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import { type Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { terminalEnvironment } from '../ssh/launcher/environment'
import { screenOf } from './screen'
import { type Terminal, writeFile } from './terminal'

const files = { input: 0, output: 1, errors: 2 } as const
/** Reads up to the end of a line. */
function readLine(): string {
  const byte = Buffer.alloc(1)
  const bytes: number[] = []
  while (readSync(files.input, byte, 0, 1, null) === 1 && byte[0] !== 10) bytes.push(byte[0] ?? 0)
  return Buffer.from(bytes).toString('utf8').replace(/\r$/, '')
}

/** Opens standard input. On Windows, Electron's process.stdin is always at its end. */
function openInput(): Readable {
  const stats = fstatSync(files.input)
  return stats.isFIFO() || stats.isSocket()
    ? new Socket({ fd: files.input, readable: true, writable: false })
    : createReadStream('', { fd: files.input, autoClose: false })
}

const openOutput = (): Writable =>
  new Writable({
    write(chunk: Buffer, _, done) {
      try {
        writeFile(files.output, chunk)
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })

/** The terminal of this process. Synchronous: the process may end right after a write. */
export function systemTerminal(env: NodeJS.ProcessEnv): Terminal {
  return {
    print: (line) => writeFile(files.output, `${line}\n`),
    report: (line) => writeFile(files.errors, `${line}\n`),
    ...screenOf(env),
    isInteractive: isatty(files.input) && isatty(files.errors),
    ask(question) {
      writeFile(files.errors, question)
      return readLine()
    },
    run(file, args, folder) {
      const { status, signal, error } = spawnSync(file, args, {
        stdio: 'inherit',
        env: terminalEnvironment(env),
        cwd: folder,
      })
      if (error) throw error
      // As a shell reports it: 130 after Ctrl+C.
      return status ?? (signal === 'SIGINT' ? 130 : 143)
    },
    hasProgram: (name) => spawnSync(name, ['-V'], { stdio: 'ignore', env }).error === undefined,
    openStreams: () => ({ input: openInput(), output: openOutput() }),
    wait: (seconds) => wait(seconds * 1000),
  }
}
