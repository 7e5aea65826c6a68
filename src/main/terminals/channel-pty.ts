import type { ShellChannel } from '../ssh/client/transport'
import type { Pty, PtyListener } from './pty'

/** Shell in a terminal of the machine. `close` ends its own connection. */
export interface PreparedShell {
  readonly channel: ShellChannel
  close(): void
}

/** Adapts a shell to a pseudo-terminal. Unread output fills the channel's window, so that the machine waits. */
export function channelPty(
  { channel: { stream, exit, resize }, close }: PreparedShell,
  { output, ended }: PtyListener,
): Pty {
  const waiting: (() => void)[] = []
  const proceed = (): void => waiting.splice(0).forEach((resolve) => resolve())
  stream.on('data', output)
  stream.on('drain', proceed)
  // The stream closes after its last output, or with an error if the connection was lost.
  stream.on('error', () => undefined)
  stream.once('close', () => {
    proceed()
    void exit.then(({ status, signal }) => {
      close()
      // A server may report neither an exit status nor a signal (RFC 4254, section 6.10).
      ended(status, stream.errored !== null && status === null && signal === null)
    })
  })
  return {
    write: (text) =>
      !stream.writable || stream.write(text)
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    resize: (columns, rows) => stream.writable && resize({ columns, rows }),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    kill() {
      stream.destroy()
      close()
    },
  }
}
