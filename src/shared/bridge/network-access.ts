import { z } from 'zod'
import { call } from './define'

/** How services are reached. `pac`: the address or the path of an auto-configuration file. Loopback is never proxied. */
export const ProxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('system') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('manual'), address: z.string() }),
  z.object({ kind: z.literal('pac'), address: z.string() }),
])
export type ProxyChoice = z.infer<typeof ProxyChoice>

export const NetworkAccessView = z.object({
  proxy: ProxyChoice,
  /** The proxy that the environment names, as host:port; it replaces the system's. null: none. */
  environment: z.string().nullable(),
  /** Environment variable that should name a proxy, but holds no address of one; null if there is none. */
  malformedVariable: z.string().nullable(),
  /** The file of certificate authorities that the person added. */
  authorities: z.object({ file: z.string(), names: z.array(z.string()) }).nullable(),
  /** The proxy that waits for a sign-in now; `refused`: it rejected the last one. */
  question: z.object({ proxy: z.string(), realm: z.string(), refused: z.boolean() }).nullable(),
  /** Proxies that asked for a sign-in. */
  signIns: z.array(z.object({ proxy: z.string(), username: z.string().nullable() })),
})
export type NetworkAccessView = z.infer<typeof NetworkAccessView>

const ofProxy = z.object({ proxy: z.string() })

export const networkAccessCalls = {
  'networkAccess.read': call(z.object({}), NetworkAccessView),
  /** Fails with invalid-input (proxy, pac) and local-fault. */
  'networkAccess.useProxy': call(z.object({ proxy: ProxyChoice }), NetworkAccessView),
  /** Asks for a file with the system's dialog. Fails with invalid-input (authorities) and local-fault. */
  'networkAccess.addAuthorities': call(z.object({}), NetworkAccessView),
  'networkAccess.removeAuthorities': call(z.object({}), NetworkAccessView),
  /** Opens the question for a proxy that was left unanswered. */
  'networkAccess.ask': call(ofProxy, z.void()),
  /** `remember`: in the keychain; without one, until the application quits. */
  'networkAccess.signIn': call(
    ofProxy.extend({ username: z.string().min(1), password: z.string(), remember: z.boolean() }),
    z.void(),
  ),
  'networkAccess.decline': call(ofProxy, z.void()),
  /** Removes what was kept for a proxy. Fails with keychain-unavailable. */
  'networkAccess.signOut': call(ofProxy, z.void()),
} as const

export const networkAccessEvents = {
  'networkAccess.changed': NetworkAccessView,
} as const
