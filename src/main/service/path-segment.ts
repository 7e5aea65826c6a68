import { FailureError } from '#shared/failure'

/**
 * Encodes an id as one segment of a path. Fails with invalid-input (id) for ids that no encoding makes safe: URL
 * parsers resolve "..", encoded or not; an empty id addresses the list; a lone surrogate has no encoding.
 */
export const seg = (id: string): string => {
  if (id === '' || id === '.' || id === '..' || /\p{Cs}/u.test(id)) {
    throw new FailureError({ kind: 'invalid-input', field: 'id', reason: 'malformed' })
  }
  return encodeURIComponent(id)
}
