import { z } from 'zod'
import { SandboxOptions } from './options'
import { startSandbox } from './sandbox'

// Entry point of the process that the application starts with Electron's utilityProcess. The first message contains the
// options; the reply is {ready} or {failed}. The message {close: true} stops it. The bundle also runs without Electron, so
// it does not use Electron's types.

interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

const isParentPort = (value: unknown): value is ParentPort =>
  typeof value === 'object' &&
  value !== null &&
  'on' in value &&
  typeof value.on === 'function' &&
  'postMessage' in value &&
  typeof value.postMessage === 'function'

const parentPort: unknown = Reflect.get(process, 'parentPort')
if (!isParentPort(parentPort))
  throw new Error('this program is started by the application, with a parent port')

const port: ParentPort = parentPort
const Close = z.object({ close: z.literal(true) })
let stop: (() => Promise<void>) | undefined

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function start(message: unknown): Promise<void> {
  const options = SandboxOptions.safeParse(message)
  if (!options.success) throw new Error(`the options are malformed: ${z.prettifyError(options.error)}`)
  const { close, ...access } = await startSandbox(options.data)
  stop = close
  port.postMessage({ ready: access })
}

async function end(): Promise<void> {
  await stop?.()
  process.exit(0)
}

const fail = (error: unknown): void => {
  port.postMessage({ failed: reasonOf(error) })
  process.exitCode = 1
}

/**
 * Exits with code 1 and a report, so that the application restarts the process. Since Electron 37 an unhandled rejection
 * is only a warning in utility processes, and the process would continue in an unknown state.
 */
const crash = (error: unknown): void => {
  const report = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`wheelhouse sandbox: ${report}\n`, () => process.exit(1))
}
process.on('unhandledRejection', crash)
process.on('uncaughtException', crash)

port.on('message', ({ data }) => {
  if (Close.safeParse(data).success) end().catch(fail)
  else start(data).catch(fail)
})

process.once('SIGTERM', () => void end().catch(fail))
process.once('SIGINT', () => void end().catch(fail))

// Chromium ends a process whose parent has exited; this covers cases in which it cannot.
const parent = process.ppid
const parentCheckMs = 1_000
setInterval(() => {
  if (process.ppid !== parent) end().catch(fail)
}, parentCheckMs).unref()
