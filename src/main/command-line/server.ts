import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  type CommandAddress,
  type CommandLineCall,
  commandLineRows,
  type CommandOutput,
  CommandRequest,
  CommandRun,
  isCommandLineCall,
  maxCommandBytes,
} from '#shared/bridge/command-line'
import { commandAddressFile } from '#shared/command-address'
import type { Answer } from '#shared/bridge/index'
import { FailureError, type InvalidReason } from '#shared/failure'
import type { Clock } from '../core/clock'
import { onAbort } from '../core/on-abort'
import { openPrivateSocket } from '../core/private-socket'
import { replaceFile } from '../store/atomic-file'
import type { Finished } from './run-in-application'

export interface CommandServerDeps {
  /** User data. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly version: string
  readonly now: Clock['now']
  /** Validates the input and runs the handler of a call. */
  answer(name: string, input: unknown): Promise<Answer>
}

const Asked = z.object({ request: z.uuid() })
/** A request that may wait for the user, as the call that withdraws its question. */
const AskingRequest = z.union([
  z
    .object({ call: z.literal('agents.act'), input: z.object({ order: Asked }) })
    .transform(({ input }) => ({ call: 'agents.withdraw', input: input.order })),
  z
    .object({ call: z.literal('secret.ask'), input: Asked })
    .transform(({ input }) => ({ call: 'secret.withdraw', input })),
])

const invalid = (field: string, reason: InvalidReason): Answer => ({
  ok: false,
  failure: { kind: 'invalid-input', field, reason },
})

/** Answers an allowed call with the fields of its schema only. Throws FailureError. */
async function answerAllowed<Name extends CommandLineCall>(
  call: Name,
  input: unknown,
  answer: CommandServerDeps['answer'],
): Promise<CommandOutput<Name>> {
  const answered = await answer(call, input)
  if (!answered.ok) throw new FailureError(answered.failure)
  const value = commandLineRows[call].output.safeParse(answered.value)
  if (value.success) return value.data
  throw new FailureError({ kind: 'local-fault', action: call, reason: value.error.message })
}

/** Answers one request: an allowed call, or a command that the application runs. */
export async function answerCommand(
  request: unknown,
  { answer, version, now }: Pick<CommandServerDeps, 'answer' | 'version' | 'now'>,
): Promise<Answer | Finished | null> {
  const run = CommandRun.safeParse(request)
  if (run.success) {
    const { runInside } = await import('./run-inside')
    return runInside(run.data, {
      call: (call, input) => answerAllowed(call, input, answer),
      env: process.env,
      now,
      version,
    })
  }
  const read = CommandRequest.safeParse(request)
  if (!read.success) return invalid('request', 'malformed')
  const { call, input } = read.data
  if (!isCommandLineCall(call)) return invalid('call', 'unknown')
  try {
    return { ok: true, value: await answerAllowed(call, input, answer) }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return { ok: false, failure: error.failure }
  }
}

/**
 * Answers the command line over a socket that only this user can use. Its address and token are in a file of the user data
 * that only this user can read. Returns a function that closes it.
 */
export async function serveCommandLine(deps: CommandServerDeps) {
  const { folder, platform } = deps
  const socket = await openPrivateSocket({
    use: 'cli',
    platform,
    maxRequestBytes: maxCommandBytes,
    answer: async (request, gone) => {
      const asked = AskingRequest.safeParse(request)
      // Nobody waits for the answer any more.
      const withdraw = () => void (asked.success && deps.answer(asked.data.call, asked.data.input))
      const stop = onAbort(gone, withdraw)
      return JSON.stringify(await answerCommand(request, deps).finally(stop))
    },
    refuse: (reason) => JSON.stringify(invalid('request', reason)),
  })
  const file = join(folder, commandAddressFile)
  const address: CommandAddress = { version: 1, path: socket.path, token: socket.token }
  try {
    await replaceFile(file, (write) => write(JSON.stringify(address)))
  } catch (error) {
    socket.close()
    throw error
  }
  return async (): Promise<void> => {
    socket.close()
    await rm(file, { force: true })
  }
}
