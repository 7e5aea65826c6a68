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

/** Machines that a command runs on at once, in all. The application's own commands wait for none of the person's. */
const atOnce = 10
const ownAtOnce = 4
/** Characters that one machine may have sent, and all of a command together. */
const mostOfOne = 256 * 1024
const mostOfAll = 32 * 1024 * 1024

interface Order extends Omit<Streams['command.run']['input'], 'seconds'> {
  readonly seconds: number
  readonly shell: MachineRunDeps['shell']
  readonly login?: MachineRunDeps['login']
}
/** Outcome of a script of the application. */
export interface ScriptResult {
  readonly state: CommandState
  readonly stdout: string
  /** Output of start-up files of the login shell; empty: none. */
  readonly loginOutput: string
  /** The login shell had started the script before it ended. */
  readonly hasBegun: boolean
}
type Send = (message: CommandMessage) => void

/** One command on many machines. It ends with the stream of the window that asked for it, and nothing of it is kept. */
export function createCommands(deps: CommandsDeps) {
  const { clock } = deps
  const limitRunning = pLimit(atOnce)
  const limitOwn = pLimit(ownAtOnce)
  /** How to cancel what is under way. */
  const underWay = new Set<{
    readonly account: AccountId
    readonly ended: Promise<unknown>
    cancel(): void
  }>()

  function stateUnlessReachable(account: AccountId, id: string): CommandState | null {
    const machine = deps.machine(account, id)
    const why = machine ? sshDisabledReason(machine) : 'gone'
    return why && { kind: 'unavailable', why }
  }

  /** The same command on one machine after another, each with a way to cancel it. */
  function start(order: Order, send: Send, limitOf = limitRunning) {
    const { account, machines, command, shell, seconds, login } = order
    const ids = [...new Set(machines)]
    const limit = Math.floor(Math.min(mostOfOne, mostOfAll / ids.length) / 2)
    const waiting = new Set(ids)
    const endings = new Map(ids.map((id) => [id, new AbortController()]))

    async function one(machine: string, signal: AbortSignal): Promise<void> {
      const replace = (state: CommandState): void => send({ kind: 'state', machine, state })
      if (signal.aborted) return
      waiting.delete(machine)
      const unavailable = stateUnlessReachable(account, machine)
      if (unavailable) return replace(unavailable)
      replace({ kind: 'connecting' })
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
          begun: () => replace({ kind: 'running', since: clock.now() }),
          ...(login && { login }),
        },
        signal,
      )
      replace(outcome)
    }
    function cancel(machine: string): void {
      endings.get(machine)?.abort()
      if (waiting.delete(machine)) send({ kind: 'state', machine, state: { kind: 'cancelled' } })
    }
    const all = [...endings].map(([id, { signal }]) => limitOf(() => one(id, signal)))
    return {
      ended: Promise.all(all),
      cancel: (machine: string | null): void => (machine === null ? ids : [machine]).forEach(cancel),
    }
  }

  /** Runs one script of the application under /bin/sh on one machine, for 20 seconds at most. */
  async function once(account: AccountId, machine: string, command: string): Promise<ScriptResult> {
    let stdout = ''
    let loginOutput = ''
    let hasBegun = false
    let state: CommandState = { kind: 'waiting' }
    const login = (text: string, begun: boolean): void => {
      loginOutput = text
      hasBegun = begun
    }
    const order: Order = { account, machines: [machine], command, seconds: 20, shell: 'sh', login }
    const take: Send = (message) => {
      if (message.kind === 'state') state = message.state
      else if (message.from === 'stdout') stdout += message.text
    }
    const run = start(order, take, limitOwn)
    const entry = { account, ended: run.ended, cancel: () => run.cancel(null) }
    underWay.add(entry)
    try {
      await run.ended
    } finally {
      underWay.delete(entry)
    }
    return { state, stdout, loginOutput, hasBegun }
  }

  const streams: StreamHandlersOf<'command.run'> = {
    'command.run': async (order, { messages, send, signal }) => {
      // A window that is gone is sent nothing; its end has cancelled everything.
      const run = start({ ...order, shell: 'login' }, (message) => void send(message).catch(() => undefined))
      const entry = { account: order.account, ended: run.ended, cancel: () => run.cancel(null) }
      underWay.add(entry)
      onAbort(signal, entry.cancel)
      const follow = async (): Promise<void> => {
        for await (const { cancel } of messages) run.cancel(cancel)
      }
      follow().catch(() => undefined)
      try {
        await run.ended
      } finally {
        entry.cancel()
        underWay.delete(entry)
      }
    },
  }
  const cancelAll = (isOver: (account: AccountId) => boolean): void =>
    underWay.forEach(({ account, cancel }) => {
      if (isOver(account)) cancel()
    })
  const unsubscribe = deps.accounts.onChange((view) => {
    const left = leftAccounts(view)
    cancelAll((account) => left.includes(account))
  })

  return defineModule({
    handlers: {},
    events: {},
    streams,
    once,
    forgetAccount: (account: AccountId): void => cancelAll((one) => one === account),
    async close(): Promise<void> {
      unsubscribe()
      cancelAll(() => true)
      await Promise.allSettled([...underWay].map(({ ended }) => ended))
    },
  })
}
export type Commands = ReturnType<typeof createCommands>
