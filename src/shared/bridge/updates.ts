import { z } from 'zod'
import { call } from './define'

/**
 * Why the application does not replace itself: it runs from a checkout; as a test build; from a package or an archive,
 * which are replaced the way they came; or it was built without naming where its releases are.
 */
export const UpdatesOff = z.enum(['checkout', 'test-build', 'package', 'no-feed'])
export type UpdatesOff = z.infer<typeof UpdatesOff>

/** `no-release`: the feed answers with an error; `damaged`: the file is not the one announced; `not-installed`: it could not be put in place. */
export const UpdateProblem = z.enum(['unreachable', 'no-release', 'damaged', 'not-installed', 'unknown'])
export type UpdateProblem = z.infer<typeof UpdateProblem>

const version = z.string()
/** What is new, as plain text. */
const notes = z.string()

/** What a restart waits for: a machine that is being created, or files that are being copied. */
export const UpdateHold = z.enum(['creation', 'transfers'])
export type UpdateHold = z.infer<typeof UpdateHold>

export const UpdateState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), reason: UpdatesOff }),
  /** `checkedAt`: epoch seconds; null: not in this run. */
  z.object({ kind: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('available'), version, notes }),
  z.object({ kind: z.literal('downloading'), version, percent: z.number() }),
  /** `heldBy`: why the restart that was asked for was not begun; it is asked for again. */
  z.object({ kind: z.literal('ready'), version, notes, heldBy: UpdateHold.nullable() }),
  /** `reason`: the system's code or words. The installed version is as it was. */
  z.object({ kind: z.literal('failed'), problem: UpdateProblem, reason: z.string() }),
])
export type UpdateState = z.infer<typeof UpdateState>

/** `automatic`: whether new versions are looked for without being asked. */
export const UpdatesView = z.object({ state: UpdateState, automatic: z.boolean() })
export type UpdatesView = z.infer<typeof UpdatesView>

const none = z.object({})
export const updateCalls = {
  'updates.read': call(none, UpdatesView),
  'updates.check': call(none, UpdatesView),
  'updates.download': call(none, UpdatesView),
  /** Puts the new version in place and restarts, unless something holds it. */
  'updates.restart': call(none, UpdatesView),
  /** The version is not offered again, unless the person checks. Fails with disk-full and local-fault. */
  'updates.skip': call(none, UpdatesView),
  /** Fails with disk-full and local-fault. */
  'updates.setAutomatic': call(z.object({ automatic: z.boolean() }), UpdatesView),
} as const

export const updateEvents = {
  'updates.changed': UpdatesView,
} as const
