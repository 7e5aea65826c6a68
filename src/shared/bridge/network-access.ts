import { z } from 'zod'
import { call, variant } from './define'

/** Proxy settings. `pac`: URL or path of an auto-configuration file. Loopback is never proxied. */
export const ProxyChoice = z.discriminatedUnion('kind', [
  variant('system', {}),
  variant('none', {}),
  variant('manual', { address: z.string() }),
  variant('pac', { address: z.string() }),
])
export type ProxyChoice = z.infer<typeof ProxyChoice>

export const NetworkAccessView = z.object({
  proxy: ProxyChoice,
  /** Proxy of the environment as host:port, which replaces the system's; null if none. */
  environment: z.string().nullable(),
  /** Environment variable that should name a proxy but holds no valid address; null if none. */
  malformedVariable: z.string().nullable(),
  authorities: z.object({ file: z.string(), names: z.array(z.string()) }).nullable(),
  /** Proxy that waits for a sign-in; `refused`: it rejected the last one. */
  question: z.object({ proxy: z.string(), realm: z.string(), refused: z.boolean() }).nullable(),
  signIns: z.array(z.object({ proxy: z.string(), username: z.string().nullable() })),
})
export type NetworkAccessView = z.infer<typeof NetworkAccessView>

const ofProxy = z.object({ proxy: z.string() })

export const networkAccessCalls = {
  'networkAccess.read': call(z.object({}), NetworkAccessView),
  /** Fails with invalid-input (proxy, pac) and local-fault. */
  'networkAccess.useProxy': call(z.object({ proxy: ProxyChoice }), NetworkAccessView),
  /** Opens a file dialog. Fails with invalid-input (authorities) and local-fault. */
  'networkAccess.addAuthorities': call(z.object({}), NetworkAccessView),
  'networkAccess.removeAuthorities': call(z.object({}), NetworkAccessView),
  'networkAccess.ask': call(ofProxy, z.void()),
  /** `remember`: in the keychain; without one, until the application quits. */
  'networkAccess.signIn': call(
    ofProxy.extend({ username: z.string().min(1), password: z.string(), remember: z.boolean() }),
    z.void(),
  ),
  'networkAccess.decline': call(ofProxy, z.void()),
  /** Deletes the stored sign-in of a proxy. Fails with keychain-unavailable. */
  'networkAccess.signOut': call(ofProxy, z.void()),
} as const

export const networkAccessEvents = {
  'networkAccess.changed': NetworkAccessView,
} as const
