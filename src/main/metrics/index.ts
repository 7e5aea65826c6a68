import { basename } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import { type GpuSeries, gpuSpans } from '#shared/bridge/gpu'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import {
  eachSeries,
  metricKeys,
  type metricsCalls,
  type metricsEvents,
  type MetricsView,
  packSeries,
  type TimeRange,
} from '#shared/bridge/metrics'
import { FailureError } from '#shared/failure'
import type { Accounts } from '../accounts/index'
import { fileFailure } from '../core/failure-of'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { createLookPoller, lookIntervalSeconds } from '../core/look-poller'
import { defineModule, type EventsOf } from '../core/module'
import { replaceFile } from '../store/atomic-file'
import type { Loads } from './loads'
import { durationSeconds } from '#shared/service/metrics'
import { createRecordings, type Recording, type RecordingQuery } from './recordings'
import { saveRecordings } from './save'
import { thinner } from '#shared/metrics/thin'

export interface MetricsDeps extends Clock {
  readonly loads: Loads
  gpus(account: AccountId, machine: string, seconds: number): readonly GpuSeries[]
  readonly accounts: Pick<Accounts, 'service' | 'view'>
  online?(): boolean
  /** Asks where to save a file, and proposes a name; null if the user cancels. */
  chooseTarget(name: string): Promise<string | null>
}

const maxAgeSeconds = 60

/** Returns the range of a period. `all` extends from the first point of any series to the last request. */
function wholeOf({ period }: Pick<RecordingQuery, 'period'>, { recorded, asOf }: Recording): TimeRange {
  if (period !== 'all') return { from: asOf - durationSeconds[period], to: asOf }
  const firsts = metricKeys.map((key) => recorded.series[key].times[0] ?? asOf)
  const from = Math.min(...firsts)
  return { from: from < asOf ? from : asOf - durationSeconds['1h'], to: asOf }
}

/** Converts a recording for the window: `range` or everything, in `width` pixels. Pure. */
function viewOf(
  query: Pick<RecordingQuery, 'period'>,
  recording: Recording,
  range: TimeRange | null,
  width: number,
): MetricsView {
  const { recorded, asOf } = recording
  const whole = wholeOf(query, recording)
  const thin = thinner(range ?? whole, width)
  return {
    asOf,
    whole,
    units: recorded.units,
    points: Math.max(...metricKeys.map((key) => recorded.series[key].times.length)),
    unusable: recorded.unusable,
    step: recorded.step,
    series: packSeries(
      eachSeries((key) => thin(recorded.series[key])),
      (range ?? whole).from,
    ),
  }
}

export function createMetrics(deps: MetricsDeps) {
  const { accounts, loads, gpus, chooseTarget, now, after, online = () => true } = deps
  const recordings = createRecordings(deps)

  async function target(name: string): Promise<string> {
    const path = await chooseTarget(name)
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    return path
  }

  const isSignedIn = (account: AccountId): boolean =>
    accounts.view().accounts.find(({ id }) => id === account)?.state === 'signed-in'

  const changes = createEmitter<EventPayload<'metrics.changed'>>()
  const poller = createLookPoller<EventPayload<'metrics.changed'>>({
    clock: { now, after },
    online,
    interval: lookIntervalSeconds,
    async read(query) {
      const { account, machines, period } = query
      // The window itself requests the data of an account that is not signed in.
      if (!isSignedIn(account)) return
      // The window meets and shows a failure when it requests the new data.
      await Promise.allSettled(machines.map((machine) => recordings.read({ account, machine, period }, 0)))
      changes.emit(query)
    },
  })

  const loadChanges = createEmitter<EventPayload<'metrics.loadsChanged'>>()
  const loadPoller = createLookPoller<EventPayload<'metrics.loadsChanged'>>({
    clock: { now, after },
    online,
    interval: lookIntervalSeconds,
    async read(query) {
      const { account, machines } = query
      // loads.ts requests each machine at most every five minutes.
      if (isSignedIn(account))
        await Promise.allSettled(machines.map((machine) => loads.lastHour(account, machine)))
      loadChanges.emit(query)
    },
  })

  const handlers: HandlersOf<typeof metricsCalls> = {
    'metrics.look': ({ looking, ...query }) => poller.look(query, looking),
    'metrics.read': async ({ range, width, fresh, ...query }) => {
      const age = fresh ? 0 : range ? Infinity : maxAgeSeconds
      return viewOf(query, await recordings.read(query, age), range, width)
    },
    'metrics.lookLoads': ({ looking, ...query }) => loadPoller.look(query, looking),
    'metrics.load': ({ account, machine }) => loads.lastHour(account, machine),
    'metrics.save': async ({ account, machines, period, range, format }) => {
      const saved = await Promise.all(
        machines.map(async ({ id, name }) => ({
          name,
          recording: await recordings.read({ account, machine: id, period }, Infinity),
          gpus: gpus(account, id, period === 'all' ? gpuSpans[3] : durationSeconds[period]),
        })),
      )
      return saveRecordings(saved, range, format, now(), target)
    },
    'metrics.savePicture': async ({ name, png }) => {
      const path = await target(`${name}.png`)
      try {
        await replaceFile(path, (write) => write(png))
        return { file: basename(path) }
      } catch (error) {
        throw fileFailure(error)
      }
    },
  }
  const events: EventsOf<typeof metricsEvents> = {
    'metrics.changed': changes.on,
    'metrics.loadsChanged': loadChanges.on,
  }
  const pollers = [poller, loadPoller]
  return defineModule({
    handlers,
    events,
    loads,
    windowChanged: (isOpen) => pollers.forEach((poller) => poller.windowChanged(isOpen)),
    wakeChanged: (awake) => pollers.forEach((poller) => poller.wakeChanged(awake)),
    close: () => pollers.forEach((poller) => poller.close()),
    forgetAccount(account: AccountId): void {
      recordings.forgetAccount(account)
      loads.forgetAccount(account)
    },
  })
}
