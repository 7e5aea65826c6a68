import { z } from 'zod'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import type {
  updateCalls,
  updateEvents,
  UpdateHold,
  UpdatesOff,
  UpdateState,
  UpdatesView,
} from '#shared/bridge/updates'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import { plainNotes } from './release-notes'
import { type OfferedUpdate, updateProblem, type Updater } from './update-installer'

export interface UpdatesDeps {
  /** How this installation replaces itself, or why it does not. */
  readonly updates: Updater | UpdatesOff
  readonly settings: Sections
  readonly clock: Clock
  /** What a restart waits for: a creation that was sent and whose outcome is not known yet, or transfers under way. */
  heldBy(): UpdateHold | null
  readonly report: ReportError
}

const Kept = z.object({ automatic: z.boolean().default(true), skipped: z.string().nullable().default(null) })

/** Seconds after the start, after a check that failed or could not be made, and after one that succeeded. */
const pauses = { first: 60, retry: 3_600, next: 86_400 } as const

/** New versions of the application: checked for automatically unless switched off, downloaded and installed only when asked. */
export function createUpdates({ updates, settings, clock, heldBy, report }: UpdatesDeps) {
  const section = settings.section('updates', Kept)
  const changes = createEmitter<EventPayload<'updates.changed'>>()
  const updater = typeof updates === 'string' ? null : updates
  let state: UpdateState =
    typeof updates === 'string' ? { kind: 'off', reason: updates } : { kind: 'idle', checkedAt: null }
  let cancel = (): void => undefined
  let closed = false

  const view = (): UpdatesView => ({ state, automatic: section.read().automatic })
  const show = (next: UpdateState): UpdatesView => {
    state = next
    if (!closed) changes.emit(view())
    return view()
  }

  const found = ({ version, notes }: OfferedUpdate): UpdatesView =>
    show({ kind: 'available', version, notes: plainNotes(notes) })

  async function check(): Promise<UpdatesView> {
    if (updater === null || !['idle', 'failed', 'available'].includes(state.kind)) return view()
    show({ kind: 'checking' })
    try {
      const offered = await updater.check()
      return offered === null ? show({ kind: 'idle', checkedAt: clock.now() }) : found(offered)
    } catch (error) {
      return show({ kind: 'failed', ...updateProblem(error) })
    }
  }

  /** Takes in what an automatic check found: a version that is neither shown nor skipped replaces the shown one. */
  function takeIn(offered: OfferedUpdate | null): void {
    const isNew = offered !== null && offered.version !== section.read().skipped
    if (isNew && !('version' in state && state.version === offered.version)) found(offered)
    else if (state.kind === 'idle') show({ kind: 'idle', checkedAt: clock.now() })
  }

  /**
   * Checks automatically, whatever is shown: a check that failed and a version that is ignored do not end it. A skipped
   * version is not shown, nor why a check failed. Returns whether it succeeded.
   */
  async function look(available: Updater): Promise<boolean> {
    if (state.kind === 'checking' || state.kind === 'downloading') return false
    const before = state
    try {
      const offered = await available.check()
      // The user may have begun something since.
      if (!closed && state === before) takeIn(offered)
      return true
    } catch (error) {
      report('updates.check', error)
      return false
    }
  }

  function schedule(seconds: number): void {
    cancel()
    if (updater === null || closed || !section.read().automatic) return
    cancel = clock.after(seconds, () => {
      void look(updater).then((succeeded) => schedule(succeeded ? pauses.next : pauses.retry))
    })
  }

  async function download(): Promise<UpdatesView> {
    if (updater === null || state.kind !== 'available') return view()
    const { version, notes } = state
    show({ kind: 'downloading', version, percent: 0 })
    try {
      await updater.download((progress) => {
        const percent = Math.min(100, Math.floor(progress))
        if (state.kind === 'downloading' && percent > state.percent) show({ ...state, percent })
      })
      return show({ kind: 'ready', version, notes, heldBy: null })
    } catch (error) {
      return show({ kind: 'failed', ...updateProblem(error) })
    }
  }

  async function restart(): Promise<UpdatesView> {
    if (updater === null || state.kind !== 'ready') return view()
    const ready = state
    const held = (): UpdatesView | null => {
      const hold = heldBy()
      return hold && show({ ...ready, heldBy: hold })
    }
    const before = held()
    if (before) return before
    try {
      await updater.place()
      // One may have been begun while a file of a hundred megabytes was copied.
      const meanwhile = held()
      if (meanwhile) return meanwhile
      const isEnding = await updater.restart()
      return isEnding ? view() : (held() ?? view())
    } catch (error) {
      const { problem, reason } = updateProblem(error)
      return show({ kind: 'failed', problem: problem === 'damaged' ? problem : 'not-installed', reason })
    }
  }

  async function skip(): Promise<UpdatesView> {
    if (state.kind !== 'available') return view()
    const { version } = state
    show({ kind: 'idle', checkedAt: clock.now() })
    await section.change((kept) => ({ ...kept, skipped: version }))
    return view()
  }

  const handlers: HandlersOf<typeof updateCalls> = {
    'updates.read': view,
    'updates.check': check,
    'updates.download': download,
    'updates.restart': restart,
    'updates.skip': skip,
    'updates.setAutomatic': async ({ automatic }) => {
      const writing = section.change((kept) => ({ ...kept, automatic }))
      schedule(pauses.first)
      show(state)
      await writing
      return view()
    },
  }
  const events: EventsOf<typeof updateEvents> = { 'updates.changed': changes.on }

  return defineModule({
    handlers,
    events,
    forgetAccount: 'keeps-nothing',
    start: () => schedule(pauses.first),
    close(): void {
      closed = true
      cancel()
    },
  })
}
