import pLimit from 'p-limit'
import type { AccountId, AccountsView } from '#shared/bridge/account'
import type { CommandMessage, CommandState } from '#shared/bridge/command'
import type { MachineView } from '#shared/bridge/fleet'
import type { Streams } from '#shared/bridge/index'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import type { Clock } from '../core/clock'
import type { Subscribe } from '#shared/emitter'
import { defineModule, type StreamHandlersOf } from '../core/module'
import { onAbort } from '../core/on-abort'
import { leftAccounts } from '../ssh/follow-machines'
import type { SshMachines } from '../ssh/machines/index'
import { type MachineRunDeps, runOnMachine } from './machine-run'

export interface CommandsDeps {
  readonly accounts: { readonly onChange: Subscribe<AccountsView> }
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly clock: Clock
}

/** Machines that users' commands run on at once. */
const maxUserRuns = 10
/** Machines that scripts of the application run on at once. They never wait for users' commands. */
const maxScriptRuns = 4
/** Characters of output that the window receives from one machine, and from all machines of a command. */
const maxMachineOutput = 256 * 1024
const maxCommandOutput = 32 * 1024 * 1024
const scriptTimeoutSeconds = 20

interface Order extends Omit<Streams['command.run']['input'], 'seconds'> {
  readonly seconds: number
  readonly shell: MachineRunDeps['shell']
  readonly login?: MachineRunDeps['login']
}
export interface ScriptResult {
  readonly state: CommandState
  readonly stdout: string
  /** Output of start-up files of the login shell; empty: none. */
  readonly loginOutput: string
  /** The login shell had started the script before it ended. */
  readonly hasBegun: boolean
}
type Send = (message: CommandMessage) => void
interface Run {
  readonly account: AccountId
  readonly ended: Promise<unknown>
  cancel(machine?: string | null): void
}

/** Runs a command on many machines. A command ends when the window closes its stream; nothing is stored. */
export function createCommands(deps: CommandsDeps) {
  const { clock } = deps
  const limitUserRuns = pLimit(maxUserRuns)
  const limitScriptRuns = pLimit(maxScriptRuns)
  const runs = new Set<Run>()

  function stateUnlessReachable(account: AccountId, id: string): CommandState | null {
    const machine = deps.machine(account, id)
    const why = machine ? sshDisabledReason(machine) : 'gone'
    return why && { kind: 'unavailable', why }
  }

  function start(order: Order, send: Send, limitRuns = limitUserRuns): Run {
    const { account, machines, command, shell, seconds, login } = order
    const ids = [...new Set(machines)]
    const limit = Math.floor(Math.min(maxMachineOutput, maxCommandOutput / ids.length) / 2)
    const waiting = new Set(ids)
    const controllers = new Map(ids.map((id) => [id, new AbortController()]))

    async function runOn(machine: string, signal: AbortSignal): Promise<void> {
      const sendState = (state: CommandState): void => send({ kind: 'state', machine, state })
      if (signal.aborted) return
      waiting.delete(machine)
      const unavailable = stateUnlessReachable(account, machine)
      if (unavailable) return sendState(unavailable)
      sendState({ kind: 'connecting' })
      const outcome = await runOnMachine(
        {
          account,
          machine,
          command,
          shell,
          seconds,
          limit,
          clock,
          acquire: deps.sshMachines.acquire,
          send: (message) => send({ ...message, machine }),
          begun: () => sendState({ kind: 'running', since: clock.now() }),
          ...(login && { login }),
        },
        signal,
      )
      sendState(outcome)
    }
    function cancel(machine: string): void {
      controllers.get(machine)?.abort()
      if (waiting.delete(machine)) send({ kind: 'state', machine, state: { kind: 'cancelled' } })
    }
    const outcomes = [...controllers].map(([id, { signal }]) => limitRuns(() => runOn(id, signal)))
    return {
      account,
      ended: Promise.all(outcomes),
      cancel: (machine = null): void => (machine === null ? ids : [machine]).forEach(cancel),
    }
  }

  async function untilEnded(run: Run): Promise<void> {
    runs.add(run)
    await run.ended.finally(() => runs.delete(run))
  }

  async function once(account: AccountId, machine: string, command: string): Promise<ScriptResult> {
    let stdout = ''
    let loginOutput = ''
    let hasBegun = false
    let state: CommandState = { kind: 'waiting' }
    const login = (text: string, begun: boolean): void => {
      loginOutput = text
      hasBegun = begun
    }
    const order: Order = {
      account,
      machines: [machine],
      command,
      seconds: scriptTimeoutSeconds,
      shell: 'sh',
      login,
    }
    const receive: Send = (message) => {
      if (message.kind === 'state') state = message.state
      else if (message.from === 'stdout') stdout += message.text
    }
    await untilEnded(start(order, receive, limitScriptRuns))
    return { state, stdout, loginOutput, hasBegun }
  }

  const streams: StreamHandlersOf<'command.run'> = {
    'command.run': async (order, { messages, send, signal }) => {
      // Sending to a closed window fails; closing the stream has cancelled the run.
      const run = start({ ...order, shell: 'login' }, (message) => void send(message).catch(() => undefined))
      onAbort(signal, () => run.cancel())
      const cancelOnRequest = async (): Promise<void> => {
        for await (const { cancel } of messages) run.cancel(cancel)
      }
      cancelOnRequest().catch(() => undefined)
      await untilEnded(run).finally(() => run.cancel())
    },
  }
  const cancelRuns = (accounts: readonly AccountId[]): void =>
    runs.forEach(({ account, cancel }) => {
      if (accounts.includes(account)) cancel()
    })
  const unsubscribe = deps.accounts.onChange((view) => cancelRuns(leftAccounts(view)))

  return defineModule({
    handlers: {},
    events: {},
    streams,
    once,
    forgetAccount: (account: AccountId): void => cancelRuns([account]),
    async close(): Promise<void> {
      unsubscribe()
      runs.forEach(({ cancel }) => cancel())
      await Promise.allSettled([...runs].map(({ ended }) => ended))
    },
  })
}
export type Commands = ReturnType<typeof createCommands>
