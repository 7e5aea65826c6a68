import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import { type Details, detailsOf, withDetails, withoutFields } from './private-fields'
import type { Sections, SettingsSection } from './settings'

const KeptDetails = z.record(z.string(), z.record(z.string(), z.unknown()))

export interface SplitSectionDeps {
  readonly settings: Sections
  readonly documents: Sections
  /** What is in plain text must go, as there is nowhere to encrypt it. */
  readonly onErase: Subscribe<null>
  readonly report: ReportError
}

/**
 * A section in the settings whose private fields are in a private document beside it: what is there is known also
 * where the store cannot be opened, what it is called is not. `schema` must accept a value without those fields.
 */
export function splitSection<Schema extends z.ZodType>(
  { settings, documents, onErase, report }: SplitSectionDeps,
  name: string,
  schema: Schema,
  fields: readonly string[],
): SettingsSection<z.infer<Schema>> {
  const open = settings.section(name, schema)
  const hidden = documents.section(`${name}.private`, KeptDetails)
  const loads = createEmitter<null>()
  /** What an older version left in plain text. It stays there until it is in the store. */
  let plain: Details = detailsOf(open.read(), fields)
  let value = schema.parse(withDetails(open.read(), hidden.read()))

  /** What was kept is part of `value`: from then on an unknown field is one that was cleared. */
  let isLoaded = false

  /** Whether it worked. Never fails: what is to be done does not wait for a name, which goes with the next change. */
  async function keepDetails(): Promise<boolean> {
    const present = value
    try {
      await hidden.change((before) => {
        // Records that cannot be read keep their names for a version that can.
        const details = {
          ...detailsOf(open.unreadable(), fields, before),
          ...detailsOf(present, fields, isLoaded ? {} : before),
        }
        return isDeepStrictEqual(details, before) ? before : details
      })
      return true
    } catch (error) {
      report('store.keepDocument', error)
      return false
    }
  }
  const keepOpen = (): Promise<unknown> =>
    open.change(() => schema.parse(withDetails(withoutFields(value, fields), plain)))

  async function change(update: (value: z.infer<Schema>) => z.infer<Schema>): Promise<z.infer<Schema>> {
    value = update(value)
    await Promise.all([keepDetails(), keepOpen()])
    return value
  }

  // The store is not open yet: this waits for it.
  if (Object.keys(plain).length > 0) void keepDetails()
  /** What fails here goes with the next change. */
  async function erasePlain(): Promise<void> {
    plain = {}
    if (Object.keys(detailsOf(open.read(), fields)).length > 0) await keepOpen().catch(() => undefined)
  }
  /** What an older version left goes once it is in the store. */
  async function movePlain(): Promise<void> {
    if (await keepDetails()) await erasePlain()
  }
  onErase(() => void erasePlain())
  hidden.onLoad(() => {
    value = schema.parse(withDetails(value, hidden.read()))
    isLoaded = true
    void movePlain()
    loads.emit(null)
  })

  return { ...hidden, read: () => value, change, onLoad: loads.on }
}
