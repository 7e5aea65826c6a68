export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value from disk with its fields under the names of today; `renames` maps old names to new ones. A field that has its
 * new name already wins. Anything but a record is left to the schema.
 */
export function withRenamed(value: unknown, renames: Readonly<Record<string, string>>): unknown {
  if (!isRecord(value)) return value
  const migrated: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const renamed = renames[name]
    if (renamed === undefined) migrated[name] = field
    else if (!(renamed in value)) migrated[renamed] = field
  }
  return migrated
}

/** A value from disk with one of its fields migrated. */
export const withField = (value: unknown, name: string, migrate: (field: unknown) => unknown): unknown =>
  isRecord(value) && name in value ? { ...value, [name]: migrate(value[name]) } : value
