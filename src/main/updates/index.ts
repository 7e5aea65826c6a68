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
  /** Updater of this installation, or the reason why it has none. */
  readonly updates: Updater | UpdatesOff
  readonly settings: Sections
  readonly clock: Clock
  /** Returns the reason why a restart must wait: an open creation or running transfers. */
  heldBy(): UpdateHold | null
  readonly report: ReportError
}

const UpdateSettings = z.object({
  automatic: z.boolean().default(true),
  skipped: z.string().nullable().default(null),
})

/** Delays after the start, after a failed or skipped check, and after a successful one. */
const delaySeconds = { first: 60, retry: 3_600, next: 86_400 } as const

/** Manages new versions: checks automatically unless switched off, and downloads and installs them on request. */
export function createUpdates({ updates, settings, clock, heldBy, report }: UpdatesDeps) {
  const section = settings.section('updates', UpdateSettings)
  const changes = createEmitter<EventPayload<'updates.changed'>>()
  const updater = typeof updates === 'string' ? null : updates
  let state: UpdateState =
    typeof updates === 'string' ? { kind: 'off', reason: updates } : { kind: 'idle', checkedAt: null }
  let cancel = (): void => undefined
  let isClosed = false

  const view = (): UpdatesView => ({ state, automatic: section.read().automatic })
  const show = (next: UpdateState): UpdatesView => {
    state = next
    if (!isClosed) changes.emit(view())
    return view()
  }

  const showOffer = ({ version, notes }: OfferedUpdate): UpdatesView =>
    show({ kind: 'available', version, notes: plainNotes(notes) })

  async function check(): Promise<UpdatesView> {
    if (updater === null || !['idle', 'failed', 'available'].includes(state.kind)) return view()
    show({ kind: 'checking' })
    try {
      const offered = await updater.check()
      return offered === null ? show({ kind: 'idle', checkedAt: clock.now() }) : showOffer(offered)
    } catch (error) {
      return show({ kind: 'failed', ...updateProblem(error) })
    }
  }

  /** Shows the result of an automatic check, unless the version is skipped or already shown. */
  function showAutomatic(offered: OfferedUpdate | null): void {
    const isNew = offered !== null && offered.version !== section.read().skipped
    if (isNew && !('version' in state && state.version === offered.version)) showOffer(offered)
    else if (state.kind === 'idle') show({ kind: 'idle', checkedAt: clock.now() })
  }

  /**
   * Checks automatically. Failures and ignored versions do not end the checks; neither failures nor skipped versions are
   * shown. Returns whether the check succeeded.
   */
  async function checkAutomatically(available: Updater): Promise<boolean> {
    if (state.kind === 'checking' || state.kind === 'downloading') return false
    const startState = state
    try {
      const offered = await available.check()
      // The user may have started something during the check.
      if (!isClosed && state === startState) showAutomatic(offered)
      return true
    } catch (error) {
      report('updates.check', error)
      return false
    }
  }

  function schedule(seconds: number): void {
    cancel()
    if (updater === null || isClosed || !section.read().automatic) return
    cancel = clock.after(seconds, () => {
      void checkAutomatically(updater).then((succeeded) =>
        schedule(succeeded ? delaySeconds.next : delaySeconds.retry),
      )
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
    const showHold = (): UpdatesView | null => {
      const reason = heldBy()
      return reason && show({ ...ready, heldBy: reason })
    }
    const hold = showHold()
    if (hold) return hold
    try {
      await updater.place()
      // Something may have started while a file of a hundred megabytes was copied.
      const newHold = showHold()
      if (newHold) return newHold
      const isEnding = await updater.restart()
      return isEnding ? view() : (showHold() ?? view())
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
      schedule(delaySeconds.first)
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
    start: () => schedule(delaySeconds.first),
    close(): void {
      isClosed = true
      cancel()
    },
  })
}
