import { z } from 'zod'
import { Failure } from '../failure'
import { ApiTokenChange, NewApiToken } from '../service/api-token'
import { AccountId, AccountView } from './account'
import { call } from './define'
import { UnreadableRecords } from './listing'
import { ActionOutcome } from './machine-action'

/** An API token without its value, which is read with secret.reveal or secret.copy. Times are epoch seconds. */
export const ApiTokenView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.number().nullable(),
  /** 0: never. Null: unknown. */
  lastUsed: z.number().nullable(),
  /** Whether the service reported its value. */
  hasValue: z.boolean(),
  /** The account is signed in with it. */
  inUse: z.boolean(),
})
export type ApiTokenView = z.infer<typeof ApiTokenView>

const OneToken = z.object({ account: AccountId, token: z.string().min(1) })
const Trimmed = z.string().trim()

/** What may be typed into the forms: as the specification bounds it, without blanks around it. */
export const ApiTokenForm = z.object({
  name: Trimmed.pipe(ApiTokenChange.shape.name),
  description: Trimmed,
})
export type ApiTokenForm = z.infer<typeof ApiTokenForm>

/** All tokens of an account; `asOf` is epoch seconds. */
const ApiTokenList = z.object({
  items: z.array(ApiTokenView),
  asOf: z.number(),
  /** Absent where all could be read. */
  unreadable: UnreadableRecords.optional(),
})
export type ApiTokenList = z.infer<typeof ApiTokenList>

/** Of a name or a description that was sent, as of a creation: unknown where no answer came. */
const ApiTokenUpdate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), token: ApiTokenView }),
  z.object({ kind: z.literal('unknown'), failure: Failure }),
])
export type ApiTokenUpdate = z.infer<typeof ApiTokenUpdate>

const ApiTokenCreation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), token: ApiTokenView }),
  z.object({ kind: z.literal('unknown'), failure: Failure }),
])
export type ApiTokenCreation = z.infer<typeof ApiTokenCreation>

export const apiTokenCalls = {
  'apiTokens.list': call(z.object({ account: AccountId }), ApiTokenList),
  /** While the window looks at the list it is read every minute: see apiTokens.changed. */
  'apiTokens.look': call(z.object({ account: AccountId, looking: z.boolean() }), z.void()),
  /** Sent once. Fails as the client does where nothing was changed for certain. */
  'apiTokens.update': call(OneToken.extend({ change: ApiTokenChange }), ApiTokenUpdate),
  /** The token once it is as it was to be, null where it is not after several readings. Fails as apiTokens.lookUp. */
  'apiTokens.lookUpUpdate': call(OneToken.extend({ change: ApiTokenChange }), ApiTokenView.nullable()),
  /** Signs the account in with this token from now on. Fails with invalid-input (token) where its value is unknown. */
  'apiTokens.use': call(OneToken, AccountView),
  /**
   * Sent once. Its value can be read as long as the application runs. Fails with not-offered-by-service, and as the
   * client does where nothing was created for certain.
   */
  'apiTokens.create': call(z.object({ account: AccountId, token: NewApiToken }), ApiTokenCreation),
  /**
   * The token of that name that is not one of `before` (ids): read several times before there is none (null). Fails as
   * the client does, and with unexpected-answer where the list cannot be read in full.
   */
  'apiTokens.lookUp': call(
    z.object({ account: AccountId, name: z.string(), before: z.array(z.string()) }),
    ApiTokenView.nullable(),
  ),
  /**
   * Cannot be undone. `name` is the token's without blanks around it, as the person typed it. Sent once. Fails with
   * invalid-input (name), as the client does, and with not-offered-by-service.
   */
  'apiTokens.delete': call(OneToken.extend({ name: z.string() }), ActionOutcome),
} as const

export const apiTokenEvents = {
  /** Read again while the window looks at it: the list, or why it could not be read. */
  'apiTokens.changed': z.object({
    account: AccountId,
    list: ApiTokenList.nullable(),
    failure: Failure.nullable(),
  }),
} as const
