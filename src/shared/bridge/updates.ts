import { z } from 'zod'
import { call, variant } from './define'

/**
 * Why the application does not update itself: it is a checkout, a test build, a package or archive (updated by other
 * means), or a build without a release feed.
 */
export const UpdatesOff = z.enum(['checkout', 'test-build', 'package', 'no-feed'])
export type UpdatesOff = z.infer<typeof UpdatesOff>

/** `no-release`: the feed returned an error. `damaged`: the file differs from the announced one. */
export const UpdateProblem = z.enum(['unreachable', 'no-release', 'damaged', 'not-installed', 'unknown'])
export type UpdateProblem = z.infer<typeof UpdateProblem>

const version = z.string()
/** Release notes as plain text. */
const notes = z.string()

/** Work that a restart waits for: a machine being created, or transfers. */
export const UpdateHold = z.enum(['creation', 'transfers'])
export type UpdateHold = z.infer<typeof UpdateHold>

export const UpdateState = z.discriminatedUnion('kind', [
  variant('off', { reason: UpdatesOff }),
  /** `checkedAt`: epoch seconds; null if not in this run. */
  variant('idle', { checkedAt: z.number().nullable() }),
  variant('checking', {}),
  variant('available', { version, notes }),
  variant('downloading', { version, percent: z.number() }),
  /** `heldBy`: why the requested restart has not begun. The user must request it again. */
  variant('ready', { version, notes, heldBy: UpdateHold.nullable() }),
  /** `reason`: the system's code or message. The installed version is unchanged. */
  variant('failed', { problem: UpdateProblem, reason: z.string() }),
])
export type UpdateState = z.infer<typeof UpdateState>

export const UpdatesView = z.object({ state: UpdateState, automatic: z.boolean() })
export type UpdatesView = z.infer<typeof UpdatesView>

const none = z.object({})
export const updateCalls = {
  'updates.read': call(none, UpdatesView),
  'updates.check': call(none, UpdatesView),
  'updates.download': call(none, UpdatesView),
  'updates.restart': call(none, UpdatesView),
  /** Does not offer this version again, unless the user checks. Fails with disk-full and local-fault. */
  'updates.skip': call(none, UpdatesView),
  'updates.setAutomatic': call(z.object({ automatic: z.boolean() }), UpdatesView),
} as const

export const updateEvents = {
  'updates.changed': UpdatesView,
} as const
