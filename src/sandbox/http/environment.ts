import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import type { Credential } from './authentication'

/** What travels with a request: Node's own objects, and who sent it. */
export interface ServiceEnvironment {
  Bindings: HttpBindings | Http2Bindings
  Variables: { credential: Credential | 'none' }
}
