import type { SqlValue } from '../store/database'

export const numberOf = (value: SqlValue | undefined): number => (typeof value === 'number' ? value : 0)

export const numberOrNull = (value: SqlValue | undefined): number | null =>
  typeof value === 'number' ? value : null

export const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '')

/** Null for an empty text. */
export const textOrNull = (value: SqlValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
