import type { Http2Bindings, HttpBindings } from '@hono/node-server'

/** What Node's server hands on beside the request. */
export type Bindings = HttpBindings | Http2Bindings
