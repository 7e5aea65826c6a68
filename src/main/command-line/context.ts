import type { AccountView } from '#shared/bridge/account'
import type { FleetSnapshot, MachineView } from '#shared/bridge/fleet'
import { oneLine } from '../core/one-line'
import { translate } from '#shared/messages/index'
import { FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'
import type { CallApplication } from './client'
import { CommandFailure } from './failure'
import type { Output, OutputName } from './output'
import type { Terminal } from './terminal'

/** Time for a sign-in, or for the first reading of a list. */
const maxWaitSeconds = 60
const pollSeconds = 0.2
/** Age of a list after which it is read again. */
const maxAgeSeconds = 60

export interface ContextDeps {
  readonly call: CallApplication
  readonly terminal: Terminal
  /** Name or id of the wanted account; undefined: the one chosen in the window. */
  readonly accountName: string | undefined
  /** Prints an answer: the text, or its JSON. */
  show<Name extends OutputName>(name: Name, output: Output<Name>, lines: () => readonly string[]): void
  readonly now: Clock['now']
  readonly version: string
  /** Runs another command without a terminal. */
  capture(words: readonly string[]): Promise<Captured>
}

export interface Captured {
  readonly code: number
  readonly output: string
}

const text = (path: string, values?: Readonly<Record<string, string>>): string =>
  translate(`commandLine.${path}`, values)

/** Parts that commands share: the account, its machines, and waiting for them. */
export function createContext(deps: ContextDeps) {
  const { call, terminal, accountName, show, now, version, capture } = deps

  /** Reads until `isDone`, and reports the wait once on standard error. Returns the last value. */
  async function until<Value>(
    read: () => Promise<Value>,
    isDone: (value: Value) => boolean,
    progress: 'signingIn' | 'reading',
  ): Promise<Value> {
    const end = now() + maxWaitSeconds
    let value = await read()
    for (let isFirst = true; !isDone(value) && now() < end; isFirst = false) {
      if (isFirst) terminal.report(text(`progress.${progress}`))
      await terminal.wait(pollSeconds)
      value = await read()
    }
    return value
  }

  async function find(wanted: string | undefined): Promise<AccountView> {
    const { accounts, selected } = await call('accounts.list', {})
    if (accounts.length === 0) throw new CommandFailure('noAccount', text('errors.noAccount'))
    const account =
      wanted === undefined
        ? (accounts.find(({ id }) => id === selected) ?? accounts[0])
        : (accounts.find(({ id }) => id === wanted) ?? accounts.find(({ label }) => label === wanted))
    if (account) return account
    const names = accounts.map(({ label }) => oneLine(label)).join(translate('common.listSeparator'))
    throw new CommandFailure(
      'noAccount',
      text('errors.unknownAccount', { name: oneLine(wanted ?? ''), names }),
    )
  }

  /** Returns the account once it is signed in. `wanted`: its name or id; absent: the one of the command. */
  async function account(wanted = accountName): Promise<AccountView> {
    const found = await until(
      () => find(wanted),
      ({ state }) => state !== 'signing-in',
      'signingIn',
    )
    if (found.state === 'signed-in') return found
    if (found.failure) throw new FailureError(found.failure)
    throw new CommandFailure('noAccount', text('errors.signedOut', { name: oneLine(found.label) }))
  }

  /** Returns the list of machines, which is at most a minute old. */
  async function fleet({ id }: AccountView): Promise<FleetSnapshot> {
    const known = await call('fleet.snapshot', { account: id })
    if (known.status.asOf !== null && now() - known.status.asOf < maxAgeSeconds) return known
    if (known.status.asOf === null) terminal.report(text('progress.reading'))
    await call('fleet.refresh', { account: id })
    const read = await call('fleet.snapshot', { account: id })
    if (read.status.failure) throw new FailureError(read.status.failure)
    if (read.status.asOf === null) throw new CommandFailure('failed', text('errors.notRead'))
    return read
  }

  /** Returns the machine with this id, else the only one with this name. */
  async function machine(
    of: AccountView,
    word: string,
  ): Promise<{ readonly machine: MachineView; readonly asOf: number | null }> {
    const { machines, status } = await fleet(of)
    const named = machines.filter(({ name }) => name === word)
    const found = machines.find(({ id }) => id === word) ?? named[0]
    const values = { name: oneLine(word), account: oneLine(of.label) }
    if (!found) throw new CommandFailure('notFound', text('errors.unknownMachine', values))
    if (named.length > 1 && found.id !== word) {
      const ids = named.map(({ id }) => id).join(translate('common.listSeparator'))
      throw new CommandFailure('notFound', text('errors.severalMachines', { ...values, ids }))
    }
    return { machine: found, asOf: status.asOf }
  }

  return { call, terminal, show, text, until, account, fleet, machine, now, version, accountName, capture }
}
export type Context = ReturnType<typeof createContext>
