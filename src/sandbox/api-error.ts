/** Why the service does not do what was asked; http/refusal-status.ts gives each its HTTP status. */
export type RefusalReason =
  'invalid' | 'unknown' | 'conflict' | 'unauthorized' | 'no-such-path' | 'method' | 'too-large'

/** What the sandbox's own rules refuse. `field` is the parameter or body field that is at fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly reason: RefusalReason,
    message: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export const invalid = (field: string, why: string): Refusal =>
  new Refusal('invalid', `${field} ${why}`, field)
export const unknown = (field: string, what: string): Refusal =>
  new Refusal('unknown', `${field}: no such ${what}`, field)
export const conflict = (field: string, why: string): Refusal =>
  new Refusal('conflict', `${field} ${why}`, field)
