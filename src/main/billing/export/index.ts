import { basename } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import type { ExportedFile, ExportedRows, exportCalls } from '#shared/bridge/export'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../../core/clock'
import type { Accounts } from '../../accounts/index'
import { defineModule } from '../../core/module'
import { replaceFile } from '../../store/atomic-file'
import type { BillingEntries } from '../entries/index'
import { stopIfCancelled } from '../entries/jobs'
import type { SweepOptions, SweepResult } from '../entries/sweep'
import type { Cell, Column } from './cell'
import { statementColumns, usageColumns } from './columns'
import { csvWriter } from './csv'
import { fileFailure } from '../../core/failure-of'
import { contextColumns, daysOf, type Exported, fileName } from './file-name'
import { jsonWriter } from './json'
import { gatherMonth } from './report/month-report'
import { reportPage } from './report/page'
import { writeTable } from './write-table'

export interface ExportsDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly costs: Parameters<typeof gatherMonth>[0]
  readonly entries: Pick<BillingEntries, 'everyStatement' | 'everyUsage' | 'jobs' | 'reportProgress'>
  /** Asks the user for a file, with a suggested name; null if the user cancels. */
  chooseTarget(name: string): Promise<string | null>
  /** Shows a file in the system's file manager. */
  showInFolder(path: string): void
  /** Prints a document without scripts as PDF. Fails with Error. */
  printPdf(html: string): Promise<Uint8Array>
  readonly now: Clock['now']
}

async function* allAtOnce(rows: readonly (readonly Cell[])[]) {
  if (rows.length > 0) yield rows
  return { entries: rows.length, complete: true }
}

const columnsOf = (source: ExportedRows): readonly Column<readonly Cell[]>[] =>
  source.columns.map((key, index) => ({ key, cell: (row) => row[index] ?? null }))

/** Exports of tables to files that the user chooses. */
export function createExports(deps: ExportsDeps) {
  const { accounts, costs, entries, chooseTarget, showInFolder, printPdf, now } = deps
  /** File of the last export of each job. */
  const saved = new Map<string, string>()
  const labelOf = (account: AccountId): string =>
    accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''

  /** Asks for a file and writes it. Fails as `pages` does, and with cancelled, disk-full and local-fault. */
  async function save<Row>(
    { account, job, format }: Pick<CallInput<'export.table'>, 'account' | 'job' | 'format'>,
    what: Exported,
    own: readonly Column<Row>[],
    pages: () => AsyncGenerator<readonly Row[], SweepResult>,
    signal: AbortSignal,
  ): Promise<ExportedFile> {
    const at = now()
    const columns = [...own, ...contextColumns({ period: what.period, account: labelOf(account), at })]
    const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns)
    const path = await chooseTarget(fileName(what, at, writer.extension))
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    stopIfCancelled(signal)
    try {
      const { rows, end } = await writeTable(path, pages(), writer, signal)
      saved.set(job, path)
      const { complete, unreadable } = end
      return { file: basename(path), rows, complete, ...(unreadable !== undefined && { unreadable }) }
    } catch (error) {
      throw fileFailure(error)
    }
  }

  /** Asks for a file first, because a report needs a moment. Fails with cancelled, disk-full and local-fault. */
  async function saveReport(
    { account, job, year, month }: CallInput<'export.report'>,
    signal: AbortSignal,
  ): Promise<string> {
    const path = await chooseTarget(`report-${year}-${String(month).padStart(2, '0')}.pdf`)
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    try {
      const page = reportPage(await gatherMonth(costs, account, labelOf(account), year, month), translate)
      const pdf = await printPdf(page)
      stopIfCancelled(signal)
      await replaceFile(path, (write) => write(pdf))
      saved.set(job, path)
      return basename(path)
    } catch (error) {
      throw fileFailure(error)
    }
  }

  const options = (account: AccountId, job: string, signal: AbortSignal): SweepOptions => ({
    signal,
    onProgress: (done, total) => entries.reportProgress({ account, job, done, total }),
  })

  const handlers: HandlersOf<typeof exportCalls> = {
    'export.table': (input) =>
      entries.jobs.run(input.job, (signal) => {
        const { account, job, source } = input
        const around = options(account, job, signal)
        switch (source.kind) {
          case 'statements': {
            const pages = () => entries.everyStatement(account, source, around)
            const what = { name: source.kind, period: daysOf(source.filter) }
            return save(input, what, statementColumns, pages, signal)
          }
          case 'usage': {
            const pages = () => entries.everyUsage(account, source, around)
            return save(
              input,
              { name: source.kind, period: daysOf(source.filter) },
              usageColumns,
              pages,
              signal,
            )
          }
          case 'rows': {
            const pages = () => allAtOnce(source.rows)
            return save(input, { name: source.name, period: source.period }, columnsOf(source), pages, signal)
          }
        }
      }),
    'export.report': (input) =>
      entries.jobs.run(input.job, async (signal) => ({ file: await saveReport(input, signal) })),
    'export.show': ({ job }) => {
      const path = saved.get(job)
      if (path === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'job', reason: 'unknown' })
      showInFolder(path)
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
