import { z } from 'zod'
import { Failure } from '../failure'
import { ApiTokenChange, NewApiToken } from '../service/api-token'
import { AccountId, AccountView, OneAccount } from './account'
import { call, variant } from './define'
import { UnreadableRecords } from './listing'
import { ActionOutcome } from './machine-action'

/** An API token without its value, which secret.reveal and secret.copy return. Times are epoch seconds. */
export const ApiTokenView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.number().nullable(),
  /** 0: never; null: unknown. */
  lastUsed: z.number().nullable(),
  hasValue: z.boolean(),
  inUse: z.boolean(),
})
export type ApiTokenView = z.infer<typeof ApiTokenView>

const OneToken = z.object({ account: AccountId, token: z.string().min(1) })
const Trimmed = z.string().trim()

export const ApiTokenForm = z.object({
  name: Trimmed.pipe(ApiTokenChange.shape.name),
  description: Trimmed,
})
export type ApiTokenForm = z.infer<typeof ApiTokenForm>

/** All tokens of an account; `asOf` is epoch seconds. */
const ApiTokenList = z.object({
  items: z.array(ApiTokenView),
  asOf: z.number(),
  unreadable: UnreadableRecords.optional(),
})
export type ApiTokenList = z.infer<typeof ApiTokenList>

const ApiTokenUpdate = z.discriminatedUnion('kind', [
  variant('done', { token: ApiTokenView }),
  variant('unknown', { failure: Failure }),
])
export type ApiTokenUpdate = z.infer<typeof ApiTokenUpdate>

const ApiTokenCreation = z.discriminatedUnion('kind', [
  variant('created', { token: ApiTokenView }),
  variant('unknown', { failure: Failure }),
])
export type ApiTokenCreation = z.infer<typeof ApiTokenCreation>

export const apiTokenCalls = {
  'apiTokens.list': call(OneAccount, ApiTokenList),
  'apiTokens.look': call(z.object({ account: AccountId, looking: z.boolean() }), z.void()),
  /** Sent once. Fails as the client does if nothing was changed for certain. */
  'apiTokens.update': call(OneToken.extend({ change: ApiTokenChange }), ApiTokenUpdate),
  /** Reads until the token has the new values; null if it never does. Fails as apiTokens.lookUp. */
  'apiTokens.lookUpUpdate': call(OneToken.extend({ change: ApiTokenChange }), ApiTokenView.nullable()),
  'apiTokens.use': call(OneToken, AccountView),
  /**
   * Sent once. The value stays readable while the application runs. Fails with not-offered-by-service, and as the
   * client does if nothing was created for certain.
   */
  'apiTokens.create': call(z.object({ account: AccountId, token: NewApiToken }), ApiTokenCreation),
  /**
   * Finds a token of this name that is not in `before` (ids); null if there is none after several readings. Fails as
   * the client does, and with unexpected-answer if the list cannot be read in full.
   */
  'apiTokens.lookUp': call(
    z.object({ account: AccountId, name: z.string(), before: z.array(z.string()) }),
    ApiTokenView.nullable(),
  ),
  /**
   * Cannot be undone. `name`: the token's trimmed name as typed by the user. Sent once. Fails with invalid-input
   * (name), as the client does, and with not-offered-by-service.
   */
  'apiTokens.delete': call(OneToken.extend({ name: z.string() }), ActionOutcome),
} as const

export const apiTokenEvents = {
  'apiTokens.changed': z.object({
    account: AccountId,
    list: ApiTokenList.nullable(),
    failure: Failure.nullable(),
  }),
} as const
