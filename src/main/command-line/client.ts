import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CommandAddress,
  type CommandInput,
  type CommandLineCall,
  commandLineRows,
  type CommandOutput,
} from '#shared/bridge/command-line'
import { commandAddressFile } from '#shared/command-address'
import { Failure, FailureError } from '#shared/failure'
import { z } from 'zod'
import { isOwnSocket, NotRunning, sendTo } from './socket'

const Reply = z.discriminatedUnion('ok', [
  // JSON has no field for the value of a call that returns nothing.
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), failure: Failure }),
])

/** The application received a call that may change something, but closed before it answered. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** Calls whose effect is unknown without an answer. */
export const actingCalls: ReadonlySet<CommandLineCall> = new Set([
  'agents.act',
  'alerts.setLimits',
  'endRules.arm',
  'endRules.cancel',
  'machine.create',
  'machine.delete',
  'machine.power',
])

/** Makes one call of the bridge. Throws FailureError, NotRunning if nothing was sent, and AnswerLost. */
export type CallApplication = <Name extends CommandLineCall>(
  name: Name,
  input: CommandInput<Name>,
) => Promise<CommandOutput<Name>>

async function readAddress(folder: string): Promise<CommandAddress> {
  try {
    return CommandAddress.parse(JSON.parse(await readFile(join(folder, commandAddressFile), 'utf8')))
  } catch {
    throw new NotRunning()
  }
}

/** Returns a function that calls the application whose user data is in `folder`. */
export const callApplication =
  (folder: string): CallApplication =>
  async (call, input) => {
    const { path, token } = await readAddress(folder)
    if (!(await isOwnSocket(path))) throw new NotRunning()
    const reply = await sendTo(path, JSON.stringify({ token, call, input }))
      .then((answer) => Reply.parse(JSON.parse(answer)))
      .catch((error: unknown) => {
        throw actingCalls.has(call) && !(error instanceof NotRunning) ? new AnswerLost() : error
      })
    if (!reply.ok) throw new FailureError(reply.failure)
    return commandLineRows[call].output.parse(reply.value)
  }
