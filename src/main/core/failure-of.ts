import { type Failure, failureOf as failureDuring } from '#shared/failure'
import type { Action } from '#shared/messages/en/actions'

export const failureOf = (error: unknown, action: Action): Failure => failureDuring(error, action)
