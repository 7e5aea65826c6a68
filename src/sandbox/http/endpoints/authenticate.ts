import { account, type Authentication } from '../authentication'
import { endpoint, noQuery, type Endpoint } from '../endpoint'
import { LoginRequest, LoginResult } from '../schemas/account'

export const authenticateEndpoints = (authentication: Authentication): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/authenticate/login',
      tag: 'Authentication',
      summary: 'Sign in',
      description:
        'The password travels as its MD5 hex digest. The access token lives for 30 minutes, the refresh token for 2 hours.',
      public: true,
      query: noQuery,
      body: LoginRequest,
      data: LoginResult,
    },
    async ({ body }) => ({
      message: 'Signed in',
      data: { ...account, ...(await authentication.login(body.username, body.password)) },
    }),
  ),
]
