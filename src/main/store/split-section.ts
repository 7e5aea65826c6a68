import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import { detailsOf, withDetails, withoutFields } from './private-fields'
import type { Sections, SettingsSection } from './settings'

const StoredDetails = z.record(z.string(), z.record(z.string(), z.unknown()))

export interface SplitSectionDeps {
  readonly settings: Sections
  readonly documents: Sections
  readonly report: ReportError
}

/**
 * Opens a section in the settings whose private fields are in a private document. If the store cannot be opened, the
 * records are known and their names are not. `schema` must accept a value without those fields.
 */
export function splitSection<Schema extends z.ZodType>(
  { settings, documents, report }: SplitSectionDeps,
  name: string,
  schema: Schema,
  fields: readonly string[],
): SettingsSection<z.infer<Schema>> {
  const plain = settings.section(name, schema)
  const secret = documents.section(`${name}.private`, StoredDetails)
  const loads = createEmitter<null>()
  let value = schema.parse(withDetails(withoutFields(plain.read(), fields), secret.read()))

  /** Whether `value` includes the stored fields. From then on, an empty field was cleared. */
  let isLoaded = false

  /** Never fails: details that could not be written are written with the next change. */
  async function saveDetails(): Promise<void> {
    const present = value
    try {
      await secret.change((before) => {
        // Unreadable records keep their details for a version that can read them.
        const details = {
          ...detailsOf(plain.unreadable(), fields, before),
          ...detailsOf(present, fields, isLoaded ? {} : before),
        }
        return isDeepStrictEqual(details, before) ? before : details
      })
    } catch (error) {
      report('store.keepDocument', error)
    }
  }
  const savePlain = (): Promise<unknown> => plain.change(() => schema.parse(withoutFields(value, fields)))

  async function change(update: (value: z.infer<Schema>) => z.infer<Schema>): Promise<z.infer<Schema>> {
    value = update(value)
    await Promise.all([saveDetails(), savePlain()])
    return value
  }

  secret.onLoad(() => {
    value = schema.parse(withDetails(value, secret.read()))
    isLoaded = true
    void saveDetails()
    loads.emit(null)
  })

  return { ...secret, read: () => value, change, onLoad: loads.on }
}
