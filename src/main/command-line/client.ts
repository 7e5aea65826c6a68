import { lstat, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import {
  commandAddressFile,
  CommandAddress,
  type CommandInput,
  type CommandLineCall,
  commandLineRows,
  type CommandOutput,
} from '#shared/bridge/command-line'
import { Failure, FailureError } from '#shared/failure'
import { z } from 'zod'

const Reply = z.discriminatedUnion('ok', [
  // JSON has no field for the value of a call that returns nothing.
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), failure: Failure }),
])

/** The application does not answer: it does not run, or it has just started or ended. */
export class NotRunning extends Error {
  override readonly name = 'NotRunning'
}

/** The application received a call that may change something, but closed before it answered. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** Calls whose effect is unknown without an answer. */
const actingCalls: ReadonlySet<CommandLineCall> = new Set([
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

/**
 * Whether only this user can open the folder of the socket. A killed application leaves its address behind, and another user
 * may create the same path among the temporary files. An answer names a program that runs.
 */
async function isOwnSocket(path: string): Promise<boolean> {
  // Windows has named pipes instead of folders.
  if (process.getuid === undefined) return true
  const stats = await lstat(dirname(path)).catch(() => null)
  return stats?.isDirectory() === true && stats.uid === process.getuid() && (stats.mode & 0o077) === 0
}

/** Sends one request. Rejects with NotRunning if nothing listens. */
const send = (path: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let isConnected = false
    const socket = connect(path, () => {
      isConnected = true
      socket.write(`${text}\0`)
    })
    socket.on('data', (data: Buffer) => chunks.push(data))
    socket.on('error', (error) => reject(isConnected ? error : new NotRunning()))
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('utf8')
      if (answer.endsWith('\0')) resolve(answer.slice(0, -1))
      else reject(new Error('the application closed the connection without an answer'))
    })
  })

/** Returns a function that calls the application whose user data is in `folder`. */
export const callApplication =
  (folder: string): CallApplication =>
  async (call, input) => {
    const { path, token } = await readAddress(folder)
    if (!(await isOwnSocket(path))) throw new NotRunning()
    const reply = await send(path, JSON.stringify({ token, call, input }))
      .then((answer) => Reply.parse(JSON.parse(answer)))
      .catch((error: unknown) => {
        throw actingCalls.has(call) && !(error instanceof NotRunning) ? new AnswerLost() : error
      })
    if (!reply.ok) throw new FailureError(reply.failure)
    return commandLineRows[call].output.parse(reply.value)
  }
