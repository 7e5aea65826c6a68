import { basename } from 'node:path'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import {
  type checkUpCalls,
  type checkUpEvents,
  type CheckUpOutcome,
  CheckUpReport,
  type CheckUpStep,
  type CheckUpView,
} from '#shared/bridge/check-up'
import type { CommandState } from '#shared/bridge/command'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import type { Accounts } from '../accounts/index'
import { withConnection } from '../commands/machine-run'
import type { MonotonicClock } from '../core/clock'
import { fileFailure } from '../core/failure-of'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { ChannelError } from '../ssh/client/transport'
import type { SshMachines } from '../ssh/machines/index'
import { replaceFile } from '../store/atomic-file'
import type { Sections } from '../store/settings'
import type { Facts } from './facts'
import { type Earlier, judge } from './judge'
import { measure } from './measure'
import { htmlReport, textReport } from './report'
import { scripts } from './scripts'

export interface CheckUpsDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly documents: Sections
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  /** Asks the user for a file, with a suggested name; null if the user cancels. */
  chooseTarget(name: string): Promise<string | null>
  showInFolder(path: string): void
  /** Prints a document without scripts as PDF. Fails with Error. */
  printPdf(html: string): Promise<Uint8Array>
  readonly clock: MonotonicClock
  readonly report: ReportError
}

/** Reports kept per machine and per account: the oldest go first. */
const maxReports = { machine: 10, account: 300 } as const

const AllReports = z.record(z.string(), z.array(CheckUpReport))

interface Run {
  readonly account: AccountId
  readonly controller: AbortController
  step: CheckUpStep
}

/** Returns the speeds of the newest check-up of each other machine with this flavor. Pure. */
export function earlierOf(reports: readonly CheckUpReport[], { id, flavor }: MachineView): Earlier {
  const newest = new Map<string, CheckUpReport>()
  for (const report of reports)
    if (report.machine !== id && report.flavor !== null && report.flavor === flavor.name)
      newest.set(report.machine, report)
  const speeds = (key: 'diskSpeed' | 'networkSpeed') =>
    [...newest.values()].flatMap((report) => report[key] ?? [])
  return { diskSpeed: speeds('diskSpeed'), networkSpeed: speeds('networkSpeed') }
}

/** Adds a report and drops the oldest beyond the limits. Oldest first. Pure. */
export function withReport(reports: readonly CheckUpReport[], added: CheckUpReport): CheckUpReport[] {
  const own = reports.filter(({ machine }) => machine === added.machine)
  const dropped = new Set(own.slice(0, Math.max(0, own.length + 1 - maxReports.machine)))
  return [...reports.filter((report) => !dropped.has(report)), added].slice(-maxReports.account)
}

/** Checks machines when the user asks for it, and keeps the reports as private documents. */
export function createCheckUps(deps: CheckUpsDeps) {
  const { clock } = deps
  const section = deps.documents.section('check-ups', AllReports)
  const changes = createEmitter<CheckUpView>()
  const runs = new Map<string, Run>()
  const saved = new Map<string, string>()

  const reportsOf = (account: AccountId): readonly CheckUpReport[] => section.read()[account] ?? []
  const view = (account: AccountId, machine: string): CheckUpView => ({
    account,
    machine,
    running: runs.get(resourceKey(account, machine))?.step ?? null,
    reports: reportsOf(account)
      .filter((report) => report.machine === machine)
      .toReversed(),
    scripts: Object.values(scripts),
  })
  const emit = (account: AccountId, machine: string): void => changes.emit(view(account, machine))

  async function run(account: AccountId, machine: MachineView, current: Run): Promise<CheckUpOutcome> {
    const begun = clock.monotonic()
    const { signal } = current.controller
    const step = (next: CheckUpStep): void => {
      current.step = next
      emit(account, machine.id)
    }
    const use = { account, machine: machine.id, acquire: deps.sshMachines.acquire }
    let measured: { readonly facts: Facts } | CommandState
    try {
      measured = await withConnection(use, signal, async (connection) => ({
        facts: await measure({ connection, clock, signal, step }),
      }))
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', state: { kind: 'cancelled' } }
      if (!(error instanceof ChannelError)) throw error
      const state: CommandState =
        error.kind === 'lost' ? { kind: 'lost' } : { kind: 'refused', reason: error.message }
      return { kind: 'stopped', state }
    }
    if (!('facts' in measured)) return { kind: 'stopped', state: measured }
    const { facts } = measured
    const report: CheckUpReport = {
      machine: machine.id,
      name: machine.name,
      flavor: machine.flavor.name,
      region: machine.region,
      at: Math.floor(clock.now()),
      seconds: Math.round(clock.monotonic() - begun),
      diskSpeed: facts.diskSpeed,
      networkSpeed: facts.networkSpeed,
      results: [...judge(facts, machine, earlierOf(reportsOf(account), machine))],
    }
    await section.change((all) => ({ ...all, [account]: withReport(all[account] ?? [], report) }))
    return { kind: 'done', report }
  }

  async function start(account: AccountId, id: string): Promise<CheckUpOutcome> {
    const key = resourceKey(account, id)
    if (runs.has(key))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'not-ready' })
    const machine = deps.machine(account, id)
    const why = machine ? sshDisabledReason(machine) : 'gone'
    if (!machine || why) return { kind: 'stopped', state: { kind: 'unavailable', why: why ?? 'gone' } }
    const current: Run = { account, controller: new AbortController(), step: 'connecting' }
    runs.set(key, current)
    emit(account, id)
    try {
      return await run(account, machine, current)
    } finally {
      runs.delete(key)
      emit(account, id)
    }
  }

  async function save({ account, machine, at, format, job }: CallInput<'checkUp.save'>) {
    const report = reportsOf(account).find((kept) => kept.machine === machine && kept.at === at)
    if (!report) throw new FailureError({ kind: 'invalid-input', field: 'report', reason: 'unknown' })
    const day = new Date(report.at * 1_000).toISOString().slice(0, 10)
    const path = await deps.chooseTarget(`check-up-${day}.${format}`)
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    const label = deps.accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
    try {
      const content =
        format === 'txt'
          ? Buffer.from(textReport(report, label, translate))
          : await deps.printPdf(htmlReport(report, label, translate))
      await replaceFile(path, (write) => write(content))
      saved.set(job, path)
      return { file: basename(path) }
    } catch (error) {
      throw fileFailure(error)
    }
  }

  const cancelAll = (isAffected: (key: string) => boolean): void => {
    for (const [key, { controller }] of runs) if (isAffected(key)) controller.abort()
  }

  const handlers: HandlersOf<typeof checkUpCalls> = {
    'checkUp.read': async ({ account, machine }) => {
      await section.ready()
      return view(account, machine)
    },
    'checkUp.start': ({ account, machine }) => start(account, machine),
    'checkUp.cancel': ({ account, machine }) => runs.get(resourceKey(account, machine))?.controller.abort(),
    'checkUp.save': save,
    'checkUp.show': ({ job }) => {
      const path = saved.get(job)
      if (path === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'job', reason: 'unknown' })
      deps.showInFolder(path)
    },
  }
  const events: EventsOf<typeof checkUpEvents> = { 'checkUp.changed': changes.on }
  return defineModule({
    handlers,
    events,
    async forgetAccount(account: AccountId): Promise<void> {
      cancelAll((key) => isKeyOf(account, key))
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
    close: (): void => cancelAll(() => true),
  })
}
