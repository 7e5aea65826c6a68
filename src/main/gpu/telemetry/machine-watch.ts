import type { GpuLink, GpuReport, GpuStop } from '#shared/bridge/gpu'
import type { Clock } from '../../core/clock'
import type { ReportError } from '../../core/report-error'
import { connectionLimits, type ConnectionOutcome, type ConnectionTarget } from '../../ssh/client/connection'
import { fingerprint, type HostKey } from '../../ssh/client/host-key'
import { hostAndPort } from '../../ssh/client/host-key-check'
import type { SshConnection } from '../../ssh/client/transport'
import type { ReachResult } from '../../ssh/index'
import { pauseBefore, readEvery } from './retry-delay'
import { gpuReader } from '../tools/read-gpus'

export interface MachineWatchDeps {
  /** Asked before every attempt to connect. */
  reach(): Promise<ReachResult | Extract<GpuStop, { kind: 'too-many' }>>
  /** Opens a connection unless `signal` aborts; a few machines at once. */
  open(target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionOutcome>
  /** Records a host key that the person accepted. */
  record(key: HostKey): Promise<void>
  /** Whether the key of a first contact is recorded without a question, as a terminal does. */
  trustsFirstKey(): boolean
  /** The link or the report has changed. */
  changed(): void
  read(report: GpuReport, at: number): void
  readonly clock: Clock
  /** Between 0 and 1. */
  random(): number
  readonly report: ReportError
}

/** A hanging driver leaves a process behind at each reading: it is read less and less often (seconds). */
const hungPauses = [60, 300, 900, 1_800] as const

/**
 * One machine whose GPUs may be read: one connection, kept open, back by itself when it was lost, stopped where only
 * the person can go on.
 */
export function machineWatch(deps: MachineWatchDeps) {
  const { clock, changed } = deps
  let link: GpuLink = { kind: 'connecting' }
  let report: GpuReport | null = null
  let at: number | null = null
  let isFocused = false
  let connection: SshConnection | undefined
  let read: ReturnType<typeof gpuReader> | undefined
  let offered: HostKey | undefined
  /** A first key was recorded since the last connection: where another is offered all the same, the person is asked. */
  let hasRecorded = false
  let attempts = 0
  /** Readings in a row that had no answer. */
  let hung = 0
  let reading = false
  /** Counts connections: what was begun for an earlier one is dropped. */
  let generation = 0
  let isClosed = false
  let opening: AbortController | undefined
  let cancel = (): void => undefined

  function replace(next: GpuLink): void {
    link = next
    changed()
  }

  function drop(): void {
    generation += 1
    cancel()
    cancel = () => undefined
    opening?.abort()
    opening = undefined
    connection?.close()
    connection = undefined
    read = undefined
    reading = false
  }

  function wait(reason: string): void {
    drop()
    attempts += 1
    const pause = pauseBefore(attempts, deps.random())
    cancel = clock.after(pause, connect)
    replace({ kind: 'waiting', until: clock.now() + pause, attempts, reason })
  }

  const stop = (why: GpuStop): void => {
    drop()
    replace({ kind: 'stopped', stop: why })
  }

  function connect(): void {
    if (isClosed) return
    drop()
    const mine = generation
    replace({ kind: 'connecting' })
    attempt(mine).catch((error: unknown) => {
      if (mine !== generation) return
      deps.report('gpu.connect', error)
      wait(error instanceof Error ? error.message : String(error))
    })
  }

  async function attempt(mine: number): Promise<void> {
    const reach = await deps.reach()
    if (mine !== generation) return
    if (reach.kind !== 'reachable') return stop(reach)
    const { target } = reach
    opening = new AbortController()
    const outcome = await deps.open(target, opening.signal)
    if (mine !== generation) {
      if (outcome.kind === 'connected') outcome.connection.close()
      return
    }
    const host = hostAndPort(target.host, target.port)
    switch (outcome.kind) {
      case 'connected':
        return begin(outcome.connection)
      case 'host-key-unknown':
        if (target.known.length === 0 && deps.trustsFirstKey() && !hasRecorded)
          return recordFirst(mine, outcome.key)
        offered = outcome.key
        drop()
        return replace({
          kind: 'host-key-unknown',
          host,
          type: outcome.key.type,
          fingerprint: fingerprint(outcome.key),
        })
      case 'host-key-changed':
        return stop({ kind: 'host-key-changed', host, known: outcome.known, offered: outcome.offered })
      case 'key-refused':
        return stop({
          kind: 'key-refused',
          user: target.user,
          host,
          keys: target.keys.map(({ name }) => name),
        })
      case 'not-reached':
        return wait(outcome.reason)
    }
  }

  async function recordFirst(mine: number, key: HostKey): Promise<void> {
    // While this connection waited for others a terminal may have recorded a key, and that one counts.
    const reach = await deps.reach()
    if (mine !== generation) return
    if (reach.kind === 'reachable' && reach.target.known.length === 0) {
      await deps.record(key)
      hasRecorded = true
    }
    if (mine === generation) connect()
  }

  function begin(opened: SshConnection): void {
    connection = opened
    hasRecorded = false
    read = gpuReader(opened.exec, connectionLimits.command)
    hung = 0
    const mine = generation
    opened.onLost((reason) => {
      if (mine === generation) wait(reason)
    })
    replace({ kind: 'connected' })
    readNow()
  }

  /** Reads now, and plans the next reading. */
  function readNow(): void {
    if (!read || reading) return
    cancel()
    reading = true
    const mine = generation
    read(isFocused).then(
      (next) => {
        if (mine !== generation) return
        reading = false
        attempts = 0
        hung = next.kind === 'no-answer' ? hung + 1 : 0
        report = next
        at = clock.now()
        deps.read(next, at)
        changed()
        plan()
      },
      () => {
        // The connection is lost; onLost goes on from there.
      },
    )
  }

  function plan(): void {
    const calm = isFocused ? readEvery.focused : readEvery.background
    const patient = hung === 0 ? calm : (hungPauses[Math.min(hung, hungPauses.length) - 1] ?? calm)
    cancel()
    cancel = clock.after(patient, readNow)
  }

  return {
    link: () => link,
    report: () => report,
    at: () => at,
    connection: () => connection,
    connect,
    /** Stops until the person has done something. */
    stop,
    focus: (next: boolean): void => {
      if (next === isFocused) return
      isFocused = next
      if (isFocused && hung === 0) readNow()
      else if (connection && !reading) plan()
    },
    /** Records the key of the first contact, where it has this fingerprint, and connects. */
    trust: async (wanted: string): Promise<boolean> => {
      const key = offered
      if (!key || fingerprint(key) !== wanted) return false
      const mine = generation
      await deps.record(key)
      if (offered === key) offered = undefined
      // A watch that was closed or has begun another connection meanwhile goes its own way.
      if (mine === generation) connect()
      return true
    },
    /** For good. */
    close: (): void => {
      isClosed = true
      drop()
    },
  }
}
export type MachineWatch = ReturnType<typeof machineWatch>
