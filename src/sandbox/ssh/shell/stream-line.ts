import type { ClientOutput } from '../client-output'
import type { Shell } from './command'
import { runLine } from './run-line'

/** Exit status of a command that Ctrl-C stopped (128 + SIGINT). */
const interruptedStatus = 130

export interface RunContext {
  readonly shell: Shell
  readonly output: ClientOutput
  /** Aborts at Ctrl-C or disconnection. */
  readonly signal: AbortSignal
  readonly stdin?: AsyncIterable<Buffer>
}

/** Runs one line and sends its output to the client. Returns the exit status, which is 130 if `signal` aborted it. */
export async function streamLine(
  line: string,
  { shell, output, signal, stdin }: RunContext,
): Promise<number> {
  const execution = runLine(line, shell, stdin)
  try {
    for (;;) {
      signal.throwIfAborted()
      const step = await execution.next()
      if (step.done) return step.value
      await output.write(step.value.data, signal, step.value.to)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    await execution.return(interruptedStatus)
    return (shell.status = interruptedStatus)
  }
}
