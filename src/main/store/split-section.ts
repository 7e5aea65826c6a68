import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import { detailsOf, withDetails, withoutFields } from './private-fields'
import type { Sections, SettingsSection } from './settings'

const KeptDetails = z.record(z.string(), z.record(z.string(), z.unknown()))

export interface SplitSectionDeps {
  readonly settings: Sections
  readonly documents: Sections
  readonly report: ReportError
}

/**
 * A section in the settings whose private fields are in a private document beside it: what is there is known also
 * where the store cannot be opened, what it is called is not. `schema` must accept a value without those fields.
 */
export function splitSection<Schema extends z.ZodType>(
  { settings, documents, report }: SplitSectionDeps,
  name: string,
  schema: Schema,
  fields: readonly string[],
): SettingsSection<z.infer<Schema>> {
  const open = settings.section(name, schema)
  const hidden = documents.section(`${name}.private`, KeptDetails)
  const loads = createEmitter<null>()
  let value = schema.parse(withDetails(withoutFields(open.read(), fields), hidden.read()))

  /** What was kept is part of `value`: from then on an unknown field is one that was cleared. */
  let isLoaded = false

  /** Never fails: a name that could not be written goes to disk with the next change. */
  async function keepDetails(): Promise<void> {
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
    } catch (error) {
      report('store.keepDocument', error)
    }
  }
  const keepOpen = (): Promise<unknown> => open.change(() => schema.parse(withoutFields(value, fields)))

  async function change(update: (value: z.infer<Schema>) => z.infer<Schema>): Promise<z.infer<Schema>> {
    value = update(value)
    await Promise.all([keepDetails(), keepOpen()])
    return value
  }

  hidden.onLoad(() => {
    value = schema.parse(withDetails(value, hidden.read()))
    isLoaded = true
    void keepDetails()
    loads.emit(null)
  })

  return { ...hidden, read: () => value, change, onLoad: loads.on }
}
