import type { ServerChannel } from 'ssh2'
import { writeTo } from './channel-output'
import { interruptedStatus, runLine, type Shell } from './shell'

export interface Run {
  readonly shell: Shell
  readonly channel: ServerChannel
  /** Whether the client gave the session a terminal. */
  readonly terminal: boolean
  /** Aborted by Ctrl-C, or when the client is gone. */
  readonly signal: AbortSignal
  readonly stdin?: AsyncIterable<Buffer>
}

/** Runs one line with its output going to the client. Returns the exit status, 130 where `signal` stopped it. */
export async function runInChannel(line: string, run: Run): Promise<number> {
  const execution = runLine(line, run.shell, run.stdin)
  try {
    for (;;) {
      run.signal.throwIfAborted()
      const step = await execution.next()
      if (step.done) return step.value
      await writeTo(run.channel, step.value, run.terminal, run.signal)
    }
  } catch (error) {
    if (!run.signal.aborted) throw error
    await execution.return(interruptedStatus)
    return (run.shell.status = interruptedStatus)
  }
}
