/** Copies plain data, which may contain Vue's reactive proxies: these cannot be cloned over the bridge. */
export const plainCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainCopy)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainCopy(inner)]))
}
