import { sep } from 'node:path'
import { z } from 'zod'
import { FailureError } from '#shared/failure'

/**
 * What is kept of an uncaught error. Never its message, nor a path of this computer: they may hold secrets,
 * names, addresses and amounts. Code is named by its place in the application.
 */
export const CrashReport = z.object({
  /** `exception`: it ended the run. `rejection`: the run went on. `ended`: nothing else is known (run-marker.ts). */
  kind: z.enum(['exception', 'rejection', 'ended']),
  /** ISO 8601 in UTC. */
  at: z.string(),
  version: z.string(),
  electron: z.string(),
  system: z.string(),
  /** Its class where that is a known one. */
  error: z.string(),
  /** As the system, Node or SQLite names it, or a failure's kind. */
  code: z.string().nullable(),
  frames: z.array(z.string()),
})
export type CrashReport = z.infer<typeof CrashReport>

export interface CrashContext extends Pick<CrashReport, 'kind' | 'at' | 'version' | 'electron' | 'system'> {
  /** The folder or archive of the application. */
  readonly root: string
}

/** Names are data too: only these are kept. */
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
const mostFrames = 30

/** The stack without the message at its head, which may have lines that look like frames; empty where it is not found. */
function withoutMessage({ stack, name, message }: Error): string {
  if (typeof stack !== 'string' || typeof message !== 'string') return ''
  if (message === '') return stack
  const at = stack.indexOf(`: ${message}\n`)
  // Before it stands the name, with a code in brackets where Node made the error.
  const head = stack.slice(0, Math.max(at, 0)).replace(/ \[[^\]\n]*\]$/, '')
  return at > 0 && (head === name || head === 'Error') ? stack.slice(at + message.length + 2) : ''
}

const frameLine = /^ +at (?:(.+?) \()?(.+):(\d+):(\d+)\)?$/
/** Functions of the code; no function is named after anything that a service or person has named. */
const functionName = /^(?:async )?(?:new )?[\w$.<>]{1,80}$/

function frameOf(line: string, root: string): string | null {
  const [, named = '', file = '', row = '', column = ''] = frameLine.exec(line) ?? []
  if (file === '') return null
  const name = functionName.test(named) ? named : '(anonymous)'
  if (/^node:[\w/]+$/.test(file)) return `${name} ${file}:${row}:${column}`
  if (!file.startsWith(root + sep)) return '(elsewhere)'
  return `${name} ${file.slice(root.length + 1).replaceAll('\\', '/')}:${row}:${column}`
}

function read(error: unknown, root: string): Pick<CrashReport, 'error' | 'code' | 'frames'> {
  if (!(error instanceof Error)) return { error: 'not an error', code: null, frames: [] }
  const own: unknown = 'code' in error ? error.code : null
  const code = typeof own === 'string' && knownCode.test(own) ? own : null
  return {
    error: knownErrors.has(error.name) ? error.name : 'other',
    code: error instanceof FailureError ? error.failure.kind : code,
    frames: withoutMessage(error)
      .split('\n')
      .flatMap((line) => frameOf(line, root) ?? [])
      .slice(0, mostFrames),
  }
}

/** The report of an error, whatever was thrown. */
export function crashReport(error: unknown, { root, ...context }: CrashContext): CrashReport {
  try {
    return { ...context, ...read(error, root) }
  } catch {
    // Its properties throw in their turn.
    return { ...context, error: 'unreadable', code: null, frames: [] }
  }
}
