import type { ServerChannel, Session } from 'ssh2'
import {
  begunText,
  endedText,
  loopDoneText,
  loopEndedText,
  loopReadyText,
  readFrame,
  readLoopRequest,
  scriptLoop,
} from '#shared/command-frame'
import { readEndProcess } from '#shared/end-process'
import { diskSpaceScript } from '#shared/disk-space'
import { kernelLogScript } from '#shared/kernel-log'
import type { Clock } from '../clock'
import { createClientOutput, type ClientOutput } from './client-output'
import type { Disk } from './disk/disk'
import { homeOf, hostNameOf, type SshMachine } from './machine'
import { runSftp } from './sftp/subsystem'
import { type RunContext, streamLine } from './shell/stream-line'
import { runInteractive } from './shell/interactive'
import type { Shell } from './shell/command'
import { kernelLog } from './shell/commands/kernel-log'
import { endProcess } from './shell/end-process'
import { Terminal } from './shell/terminal'
import type { TmuxServer } from './shell/tmux-server'

export interface SessionDeps {
  readonly machine: SshMachine
  readonly disk: Disk
  readonly tmux: TmuxServer
  /** Epoch seconds. */
  readonly startedAt: number
  readonly now: Clock['now']
  /** Aborts when the connection is closed. */
  readonly disconnected: AbortSignal
  /** Waits while the send buffer of the connection is full. */
  waitForDrain(signal: AbortSignal): Promise<void>
  onClose(): void
}

/** Reply function. Contrary to its types, ssh2 passes none if the client wants no reply. */
type Reply = (() => void) | undefined

/** Process group for the application's markers: nothing on a sandbox machine can be signalled. */
const group = '4242'

/** Runs a script of the application. */
function runScript(script: string, context: RunContext): Promise<number> {
  const request = readEndProcess(script)
  // The sandbox's shell has no loops and pipes.
  const command = request
    ? `echo ${endProcess(request, context.shell)}`
    : script.replace(kernelLogScript, kernelLog.name).replace(diskSpaceScript, 'df -Pk /')
  return streamLine(command, context)
}

/** Runs the scripts that arrive on the input, as `scriptLoop` does. */
async function runLoop({ stdin, ...context }: RunContext): Promise<number> {
  const { output, signal } = context
  await output.write(loopReadyText, signal, 'stdout')
  let held = ''
  for await (const data of stdin ?? []) {
    const lines = `${held}${data.toString()}`.split('\n')
    held = lines.pop() ?? ''
    for (const { mark, script } of lines.flatMap((line) => readLoopRequest(line) ?? [])) {
      let errors = ''
      const write: ClientOutput['write'] = async (text, ended, to) => {
        if (to === 'stderr') errors += text.toString()
        else await output.write(text, ended)
      }
      // A subshell: its `exit` and `cd` do not outlive it.
      const shell = { ...context.shell }
      const status = await runScript(script, { ...context, shell, output: { write } })
      const end = `${loopEndedText(mark)}${String(status)}\n${errors.trimEnd()}${loopDoneText(mark)}`
      await output.write(end, signal, 'stdout')
    }
  }
  return 0
}

/** Runs one command, and prints the markers of a command that the application framed. */
async function runCommand(text: string, context: RunContext): Promise<number> {
  const frame = readFrame(text)
  if (!frame) return streamLine(text, context)
  const { output, signal } = context
  const begun = `${begunText(frame.mark, group)}\n`
  await output.write(begun, signal, 'stdout')
  await output.write(begun, signal, 'stderr')
  const status =
    frame.command === scriptLoop ? await runLoop(context) : await runScript(frame.command, context)
  if (!frame.reportsEnd) return status
  const ended = `${endedText(frame.mark, String(status))}\n`
  await output.write(ended, signal, 'stderr')
  await output.write(ended, signal, 'stdout')
  return status
}

/** Serves one session channel (RFC 4254 §6): a shell, one command, or SFTP. */
export function serveSession(session: Session, deps: SessionDeps): void {
  const { machine, disk } = deps
  const ended = new AbortController()
  const signal = AbortSignal.any([deps.disconnected, ended.signal])
  let started = false
  /** Width of the requested terminal in characters. */
  let columns: number | undefined
  let terminal: Terminal | undefined

  const shell: Shell = {
    machine,
    disk,
    host: hostNameOf(machine),
    home: homeOf(machine),
    startedAt: deps.startedAt,
    now: () => deps.now(),
    columns: () => terminal?.columns,
    tmux: deps.tmux,
    directory: homeOf(machine),
    status: 0,
    ended: false,
  }

  /** Starts the only program of the session (RFC 4254 §6.5). */
  const start = (reject: Reply, begin: () => void) => {
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
      ended.abort()
    })
    try {
      const output = createClientOutput(channel, terminal !== undefined, deps.waitForDrain)
      const status = await program(output)
      await output.flush(signal)
      channel.exit(status)
    } catch (error) {
      if (signal.aborted) return
      channel.stderr.write(`bash: ${error instanceof Error ? error.message : String(error)}\n`)
      channel.exit(1)
    } finally {
      channel.end()
      // Discards further input, which would prevent the channel from closing.
      channel.resume()
    }
  }

  session.on('pty', (accept: Reply, _reject, info) => {
    columns = info.cols
    accept?.()
  })
  session.on('window-change', (_accept, _reject, info) => {
    terminal?.resize(info.cols)
  })
  session.on('shell', (accept, reject: Reply) => {
    start(reject, () => {
      const channel = accept()
      void run(channel, (output) => runInteractive(shell, channel, output, terminal, signal))
    })
  })
  session.on('exec', (accept, reject: Reply, { command }) => {
    start(reject, () => {
      const channel = accept()
      const stdin = channel.iterator({ destroyOnReturn: false })
      void run(channel, (output) => runCommand(command, { shell, output, signal, stdin }))
    })
  })
  session.on('subsystem', (accept, reject: Reply, { name }) => {
    if (name !== 'sftp') {
      reject?.()
      return
    }
    start(reject, () => {
      const channel = accept()
      const { home, now } = shell
      void run(channel, (output) =>
        runSftp({ disk, home, username: machine.username, now }, channel, output, signal),
      )
    })
  })
  session.on('close', () => {
    ended.abort()
    // ssh2 retains a session that never started a program, so it stays counted.
    if (started) deps.onClose()
  })
}
