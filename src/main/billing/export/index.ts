import { basename } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import type { ExportedFile, ExportedRows, ExportFormat, exportCalls } from '#shared/bridge/export'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Accounts } from '../../accounts/index'
import { defineModule } from '../../core/module'
import { replaceFile } from '../../store/atomic-file'
import type { BillingEntries } from '../entries/index'
import { stopIfCancelled } from '../entries/jobs'
import type { SweepOptions, Swept } from '../entries/sweep'
import type { Cell, Column } from './cell'
import { statementColumns, usageColumns } from './columns'
import { csvWriter } from './csv'
import { fileFailure } from '../../core/file-failure'
import { jsonWriter } from './json'
import { gatherMonth } from './report/month-report'
import { reportPage } from './report/page'
import { writeTable } from './write-table'

export interface ExportsDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly costs: Parameters<typeof gatherMonth>[0]
  readonly entries: Pick<BillingEntries, 'everyStatement' | 'everyUsage' | 'jobs' | 'reportProgress'>
  /** Asks the person where to, offering a file name; null where they would rather not. */
  chooseTarget(name: string): Promise<string | null>
  /** A document without scripts as PDF. Fails with Error. */
  printPdf(html: string): Promise<Uint8Array>
  /** Epoch seconds. */
  now(): number
}

/** "wheelhouse-statements-2026-11-21.csv", by this computer's calendar. */
function fileName(what: string, now: number, extension: string): string {
  const date = new Date(now * 1000)
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `wheelhouse-${what}-${day}.${extension}`
}

async function* allAtOnce(rows: readonly (readonly Cell[])[]) {
  if (rows.length > 0) yield rows
  return { entries: rows.length, complete: true }
}

const columnsOf = (source: ExportedRows): readonly Column<readonly Cell[]>[] =>
  source.columns.map((key, index) => ({ key, cell: (row) => row[index] ?? null }))

/** Tables as files that the person chooses. */
export function createExports(deps: ExportsDeps) {
  const { accounts, costs, entries, chooseTarget, printPdf, now } = deps
  /** Asks where to and writes the file. Fails as `pages` does, and with cancelled, disk-full and local-fault. */
  async function save<Row>(
    what: string,
    format: ExportFormat,
    columns: readonly Column<Row>[],
    pages: () => AsyncGenerator<readonly Row[], Swept>,
    signal: AbortSignal,
  ): Promise<ExportedFile> {
    const writer = format === 'csv' ? csvWriter(columns) : jsonWriter(columns)
    const path = await chooseTarget(fileName(what, now(), writer.extension))
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    stopIfCancelled(signal)
    try {
      const { rows, end } = await writeTable(path, pages(), writer, signal)
      const { complete, unreadable } = end
      return { file: basename(path), rows, complete, ...(unreadable !== undefined && { unreadable }) }
    } catch (error) {
      throw fileFailure(error)
    }
  }

  /** Asks where to first, as a report takes a moment. Fails with cancelled, disk-full and local-fault. */
  async function saveReport(
    account: AccountId,
    year: number,
    month: number,
    signal: AbortSignal,
  ): Promise<string> {
    const path = await chooseTarget(`wheelhouse-report-${year}-${String(month).padStart(2, '0')}.pdf`)
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    try {
      const label = accounts.view().accounts.find(({ id }) => id === account)?.label ?? ''
      const page = reportPage(await gatherMonth(costs, account, label, year, month), translate)
      const pdf = await printPdf(page)
      stopIfCancelled(signal)
      await replaceFile(path, (write) => write(pdf))
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
    'export.table': ({ account, job, format, source }) =>
      entries.jobs.run(job, (signal) => {
        const around = options(account, job, signal)
        switch (source.kind) {
          case 'statements': {
            const pages = () => entries.everyStatement(account, source, around)
            return save(source.kind, format, statementColumns, pages, signal)
          }
          case 'usage': {
            const pages = () => entries.everyUsage(account, source, around)
            return save(source.kind, format, usageColumns, pages, signal)
          }
          case 'rows':
            return save(source.name, format, columnsOf(source), () => allAtOnce(source.rows), signal)
        }
      }),
    'export.report': ({ account, job, year, month }) =>
      entries.jobs.run(job, async (signal) => ({ file: await saveReport(account, year, month, signal) })),
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
