import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import type { ClientOutput } from '../client-output'
import { complete } from './completion'
import { streamLine } from './stream-line'
import type { Shell } from './command'
import { LineInput, type Terminal } from './terminal'

const motd = (shell: Shell): string => {
  const { gpu, gpuCount } = shell.machine
  const hardware = gpuCount > 0 ? `${gpuCount} x ${gpu.replace(/[^\x20-\x7e]/g, '?')}` : 'no GPU'
  return `This is ${shell.host} (${hardware}), a machine of the Wheelhouse sandbox.

This is a simulation: no command reaches your own computer, and its disk lives in
memory until the sandbox stops. Type "help" to look around.

`
}

const promptOf = ({ machine, host, home, directory }: Shell): string => {
  const inHome = directory === home || directory.startsWith(`${home}/`)
  const shown = (inHome ? `~${directory.slice(home.length)}` : directory).replace(/\p{Cc}/gu, '?')
  return `${machine.username.replace(/\P{ASCII}|\p{Cc}/gu, '?')}@${host}:${shown}$ `
}

/**
 * Reads and runs lines until `exit`, the end of the input, or `disconnected`. With a terminal it greets, prompts and edits
 * lines; without one it only prints their output. Returns the exit status.
 */
export async function runInteractive(
  shell: Shell,
  channel: Duplex,
  output: ClientOutput,
  terminal: Terminal | undefined,
  disconnected: AbortSignal,
): Promise<number> {
  const input = new LineInput(channel, terminal !== undefined)
  // readline assumes that every terminal is this process's own, and edits no lines on a dumb one.
  if (process.env.TERM === 'dumb') delete process.env.TERM
  const reader = createInterface({
    input,
    terminal: terminal !== undefined,
    ...(terminal && { output: terminal, completer: (line: string) => complete(line, shell) }),
    historySize: 200,
    crlfDelay: Infinity,
  })
  // Ctrl-D right after a line closes the reader before that line has run; a closed reader throws since Node 24.
  let closed = false
  reader.once('close', () => (closed = true))
  const prompt = () => {
    if (!terminal || closed) return
    reader.setPrompt(promptOf(shell))
    reader.prompt()
  }
  let running: AbortController | undefined
  reader.on('line', () => {
    running = new AbortController()
    input.hold()
  })
  reader.on('SIGINT', () => {
    terminal?.write('^C\r\n')
    if (running) running.abort()
    else {
      reader.write(null, { ctrl: true, name: 'e' })
      reader.write(null, { ctrl: true, name: 'u' })
    }
  })
  // Without a listener readline stops the whole process at Ctrl-Z. The sandbox has no jobs.
  reader.on('SIGTSTP', () => {
    terminal?.write('\x07')
  })
  const close = () => {
    reader.close()
    input.destroy()
  }
  disconnected.addEventListener('abort', close, { once: true })

  if (terminal) channel.write(motd(shell).replaceAll('\n', '\r\n'))
  prompt()
  for await (const line of reader) {
    const signal = running ? AbortSignal.any([disconnected, running.signal]) : disconnected
    await streamLine(line, { shell, output, signal })
    running = undefined
    if (shell.ended || disconnected.aborted) break
    prompt()
    input.release()
  }
  if (terminal && !disconnected.aborted) channel.write(shell.ended ? 'logout\r\n' : '\r\nlogout\r\n')
  disconnected.removeEventListener('abort', close)
  close()
  return shell.status
}
