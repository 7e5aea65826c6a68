import { z } from 'zod'
import { Time } from '../service/time'
import { AccountId } from './account'
import { BillingQuery, JobId } from './billing'
import { Period } from './cost'
import { call } from './define'

export const ExportFormat = z.enum(['csv', 'json'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** `at`: a moment in epoch seconds, which each format writes in its own way. */
const Cell = z.union([z.string(), z.number(), z.boolean(), z.null(), z.object({ at: Time })])
export type ExportCell = z.infer<typeof Cell>

/** A list that the window holds whole, as it is shown: its columns by their names in the file, and its rows. */
export const ExportedRows = z.object({
  kind: z.literal('rows'),
  /** What the file is called, before its period, or its date without one. */
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** The days that the rows are about. */
  period: Period.optional(),
  columns: z.array(z.string().min(1)).min(1).max(60),
  rows: z.array(z.array(Cell)).max(100_000),
})
export type ExportedRows = z.infer<typeof ExportedRows>

/** What is exported: a table of the billing page with all its pages, or a list that the window holds. */
export const ExportSource = z.discriminatedUnion('kind', [...BillingQuery.options, ExportedRows])
export type ExportSource = z.infer<typeof ExportSource>

/** A file that was written whole. */
export const ExportedFile = z.object({
  /** Its name, without the folder. */
  file: z.string(),
  rows: z.number().int(),
  /** False: the list went on changing while it was read, so something may be missing. */
  complete: z.boolean(),
  /** Records of the service that could not be read and are not in the file; absent where there are none. */
  unreadable: z.number().int().optional(),
})
export type ExportedFile = z.infer<typeof ExportedFile>

const OneJob = z.object({ account: AccountId, job: JobId })

/** Both ask the person where to; billing.cancel cancels them, billing.progress reports how far a table is. */
export const exportCalls = {
  /** Fails as the client does, with cancelled, disk-full and local-fault. Nothing is left of a file that failed. */
  'export.table': call(OneJob.extend({ format: ExportFormat, source: ExportSource }), ExportedFile),
  /** One page about a month (1 to 12) of this computer's time zone, as PDF. Fails as export.table does. */
  'export.report': call(
    OneJob.extend({ year: z.int().min(1970).max(9999), month: z.int().min(1).max(12) }),
    z.object({ file: z.string() }),
  ),
  /** Shows what the last job of this id has saved in its folder. Fails with invalid-input (job) where that is nothing. */
  'export.show': call(z.object({ job: JobId }), z.void()),
} as const
