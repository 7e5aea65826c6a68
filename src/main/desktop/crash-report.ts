import { sep } from 'node:path'
import { z } from 'zod'
import { FailureError } from '#shared/failure'

/**
 * Record of an uncaught error. It never contains the message or paths of this computer, which may hold secrets, names,
 * addresses and amounts. Frames name their place in the application.
 */
export const CrashReport = z.object({
  /** `exception` ended the run; the run continued after `rejection`; `ended` has no known cause (run-marker.ts). */
  kind: z.enum(['exception', 'rejection', 'ended']),
  /** ISO 8601 in UTC. */
  at: z.string(),
  version: z.string(),
  electron: z.string(),
  system: z.string(),
  /** Class of the error if it is in `knownErrors`. */
  error: z.string(),
  /** Code of the system, Node or SQLite, or the kind of a failure. */
  code: z.string().nullable(),
  frames: z.array(z.string()),
})
export type CrashReport = z.infer<typeof CrashReport>

export interface CrashContext extends Pick<CrashReport, 'kind' | 'at' | 'version' | 'electron' | 'system'> {
  /** Folder or archive of the application. */
  readonly root: string
}

/** Error names may contain data, so only these names are recorded. */
const knownErrors = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'EvalError',
  'URIError',
  'AggregateError',
  'AbortError',
  'TimeoutError',
  'AssertionError',
  'DOMException',
  'FailureError',
  'FetchError',
  'ZodError',
  'SqliteError',
])
const knownCode = /^(?:E[A-Z0-9]{2,15}|ERR_[A-Z0-9_]{2,50}|SQLITE_[A-Z_]{2,40})$/
const maxFrames = 30

/** Returns the stack without its message, whose lines may look like frames; empty if the message is not found. */
function withoutMessage({ stack, name, message }: Error): string {
  if (typeof stack !== 'string' || typeof message !== 'string') return ''
  if (message === '') return stack
  const at = stack.indexOf(`: ${message}\n`)
  // The stack begins with the name, followed by a code in brackets if Node created the error.
  const head = stack.slice(0, Math.max(at, 0)).replace(/ \[[^\]\n]*\]$/, '')
  return at > 0 && (head === name || head === 'Error') ? stack.slice(at + message.length + 2) : ''
}

const frameLine = /^ +at (?:(.+?) \()?(.+):(\d+):(\d+)\)?$/
/** Names of functions in the code. None of them contains a name from a service or a user. */
const functionName = /^(?:async )?(?:new )?[\w$.<>]{1,80}$/

function frameOf(line: string, root: string): string | null {
  const [, label = '', file = '', row = '', column = ''] = frameLine.exec(line) ?? []
  if (file === '') return null
  const name = functionName.test(label) ? label : '(anonymous)'
  if (/^node:[\w/]+$/.test(file)) return `${name} ${file}:${row}:${column}`
  if (!file.startsWith(root + sep)) return '(elsewhere)'
  return `${name} ${file.slice(root.length + 1).replaceAll('\\', '/')}:${row}:${column}`
}

function read(error: unknown, root: string): Pick<CrashReport, 'error' | 'code' | 'frames'> {
  if (!(error instanceof Error)) return { error: 'not an error', code: null, frames: [] }
  const rawCode: unknown = 'code' in error ? error.code : null
  const code = typeof rawCode === 'string' && knownCode.test(rawCode) ? rawCode : null
  return {
    error: knownErrors.has(error.name) ? error.name : 'other',
    code: error instanceof FailureError ? error.failure.kind : code,
    frames: withoutMessage(error)
      .split('\n')
      .flatMap((line) => frameOf(line, root) ?? [])
      .slice(0, maxFrames),
  }
}

/** Creates the report of any thrown value. Never throws. */
export function crashReport(error: unknown, { root, ...context }: CrashContext): CrashReport {
  try {
    return { ...context, ...read(error, root) }
  } catch {
    // Reading the properties threw.
    return { ...context, error: 'unreadable', code: null, frames: [] }
  }
}
