import { FailureError } from '#shared/failure'

/**
 * An id as one segment of a path. Fails with invalid-input (id) where no encoding could keep it one: URL parsers walk
 * up the path for "..", encoded or not, an empty id would name the list instead of the thing, and half of a surrogate
 * pair has no encoding.
 */
export const seg = (id: string): string => {
  if (id === '' || id === '.' || id === '..' || /\p{Cs}/u.test(id)) {
    throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'malformed' })
  }
  return encodeURIComponent(id)
}
