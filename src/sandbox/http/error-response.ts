import type { Context } from 'hono'
import { Refusal } from '../api-error'
import { refusalStatus } from './refusal-status'

/** The envelope for what was refused, and for what went wrong here. `data.field` names the field, where one is at fault. */
export function refusalAnswer(context: Context, error: unknown): Response {
  if (!(error instanceof Refusal)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`sandbox: ${message}\n`)
    return context.json({ status: false, message: 'the sandbox failed', data: {} }, 500)
  }
  if (error.reason === 'unauthorized') context.header('WWW-Authenticate', 'Bearer')
  const data = error.field === undefined ? {} : { field: error.field }
  return context.json({ status: false, message: error.message, data }, refusalStatus[error.reason])
}
