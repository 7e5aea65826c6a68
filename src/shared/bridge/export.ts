import { z } from 'zod'
import { Time } from '../service/time'
import { AccountId } from './account'
import { BillingQuery, JobId } from './billing'
import { Period } from './cost'
import { call, variant } from './define'

export const ExportFormat = z.enum(['csv', 'json'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** `at`: a time in epoch seconds, which each format writes in its own way. */
const Cell = z.union([z.string(), z.number(), z.boolean(), z.null(), z.object({ at: Time })])
export type ExportCell = z.infer<typeof Cell>

/** A list of the window as displayed: columns under their names in the file, and rows. */
export const ExportedRows = variant('rows', {
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  period: Period.optional(),
  columns: z.array(z.string().min(1)).min(1).max(60),
  rows: z.array(z.array(Cell)).max(100_000),
})
export type ExportedRows = z.infer<typeof ExportedRows>

/** Source of an export: a table of the billing page with all its pages, or a list of the window. */
export const ExportSource = z.discriminatedUnion('kind', [...BillingQuery.options, ExportedRows])
export type ExportSource = z.infer<typeof ExportSource>

export const ExportedFile = z.object({
  file: z.string(),
  rows: z.number().int(),
  /** False if the list kept changing while it was read, so entries may be missing. */
  complete: z.boolean(),
  unreadable: z.number().int().optional(),
})
export type ExportedFile = z.infer<typeof ExportedFile>

const OneJob = z.object({ account: AccountId, job: JobId })

/** Both open a save dialog. billing.cancel cancels them; billing.progress reports the progress of a table. */
export const exportCalls = {
  /** Fails as the client does, with cancelled, disk-full and local-fault. A failed export leaves no file. */
  'export.table': call(OneJob.extend({ format: ExportFormat, source: ExportSource }), ExportedFile),
  /** One page about a month (1 to 12) in this computer's time zone, as PDF. Fails as export.table does. */
  'export.report': call(
    OneJob.extend({ year: z.int().min(1970).max(9999), month: z.int().min(1).max(12) }),
    z.object({ file: z.string() }),
  ),
  /** Shows the file of this job in the file manager. Fails with invalid-input (job) if there is none. */
  'export.show': call(z.object({ job: JobId }), z.void()),
} as const
