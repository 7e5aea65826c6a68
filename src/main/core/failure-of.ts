import { type Failure, failureOf as failureDuring } from '#shared/failure'
import type { Action } from '#shared/messages/en/actions'

/** Any thrown thing as a failure: its own where it carries one, else a fault on this computer during `action`, which has words. */
export const failureOf = (error: unknown, action: Action): Failure => failureDuring(error, action)
