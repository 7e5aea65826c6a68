import { z } from 'zod'
import * as shared from '#shared/service/api-token'
import * as sharedLogin from '#shared/service/login'
import { limits } from '#shared/service/limits'
import { exampleId, exampleTime, Id, nameOf, Timestamp } from './common'

export const LoginRequest = sharedLogin.LoginRequest.meta({
  id: 'LoginRequest',
  examples: [{ username: 'sandbox', password: '5f4dcc3b5aa765d61d8327deb882cf99' }],
})

export const LoginResult = z
  .strictObject({
    username: z.string(),
    email: z.email(),
    access_token: z.jwt(),
    refresh_token: z.jwt(),
  })
  .meta({ id: 'LoginResult' })

export const ApiTokenChange = shared.ApiTokenChange.extend({
  name: nameOf(limits.apiTokenName),
  description: z.string().optional().meta({ description: 'cleared when absent' }),
}).meta({ id: 'ApiTokenChange', examples: [{ name: 'ci', description: 'nightly evaluation' }] })

export const NewApiToken = shared.NewApiToken.extend({ name: nameOf(limits.apiTokenName) }).meta({
  id: 'NewApiToken',
  examples: [{ name: 'ci', description: 'nightly evaluation' }],
})

const fields = {
  id: Id,
  name: z.string().max(limits.apiTokenName),
  description: z.string(),
  token: z.string().meta({ description: 'secret' }),
  created_at: Timestamp,
}
const example = {
  id: exampleId,
  name: 'ci',
  description: 'nightly evaluation',
  token: '<API_TOKEN>',
  created_at: exampleTime,
}

export const ApiToken = z.strictObject(fields).meta({ id: 'ApiToken', examples: [example] })

export const ListedApiToken = z
  .strictObject({ ...fields, last_used: Timestamp.meta({ description: 'Unix epoch, seconds; 0: never' }) })
  .meta({ id: 'ListedApiToken', examples: [{ ...example, last_used: 0 }] })
