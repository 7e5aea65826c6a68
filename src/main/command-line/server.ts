import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  commandAddressFile,
  type CommandAddress,
  commandLineRows,
  CommandRequest,
  isCommandLineCall,
  maxCommandBytes,
} from '#shared/bridge/command-line'
import type { Answer } from '#shared/bridge/index'
import type { InvalidReason } from '#shared/failure'
import { openPrivateSocket } from '../core/private-socket'
import { replaceFile } from '../store/atomic-file'

export interface CommandServerDeps {
  /** User data. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** Validates the input and runs the handler of a call. */
  answer(name: string, input: unknown): Promise<Answer>
}

const invalid = (field: string, reason: InvalidReason): Answer => ({
  ok: false,
  failure: { kind: 'invalid-input', field, reason },
})

/** Answers one request with an allowed call. The answer holds the fields of the call's schema only. */
export async function answerCommand(request: unknown, answer: CommandServerDeps['answer']): Promise<Answer> {
  const read = CommandRequest.safeParse(request)
  if (!read.success) return invalid('request', 'malformed')
  const { call, input } = read.data
  if (!isCommandLineCall(call)) return invalid('call', 'unknown')
  const answered = await answer(call, input)
  if (!answered.ok) return answered
  const value = commandLineRows[call].output.safeParse(answered.value)
  if (value.success) return { ok: true, value: value.data }
  return { ok: false, failure: { kind: 'local-fault', action: call, reason: value.error.message } }
}

/**
 * Answers the command line over a socket that only this user can use. Its address and token are in a file of the user data
 * that only this user can read. Returns a function that closes it.
 */
export async function serveCommandLine({ folder, platform, answer }: CommandServerDeps) {
  const socket = await openPrivateSocket({
    use: 'cli',
    platform,
    maxRequestBytes: maxCommandBytes,
    answer: async (request) => JSON.stringify(await answerCommand(request, answer)),
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
