import type { GpuLink, GpuReport, GpuStop } from '#shared/bridge/gpu'
import { connectionLimits, type ConnectionOutcome, type ConnectionTarget } from '../../ssh/client/connection'
import { fingerprint, type HostKey } from '../../ssh/client/host-key'
import { hostAndPort } from '../../ssh/client/host-key-check'
import type { SshConnection } from '../../ssh/client/transport'
import type { ReachResult } from '../../ssh/index'
import { pauseBefore, readEvery } from './retry-delay'
import { gpuReader } from '../tools/read-gpus'

export interface MachineWatchDeps {
  /** Asked before every attempt to connect. */
  reach(): Promise<ReachResult>
  /** Opens a connection, until `signal` calls that off; takes its turn with other machines. */
  open(target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionOutcome>
  /** Records a host key that the person accepted. */
  record(key: HostKey): Promise<void>
  /** Something changed: where the connection stands, or what was read. */
  changed(): void
  read(report: GpuReport, at: number): void
  /** Epoch seconds. */
  now(): number
  after(seconds: number, task: () => void): () => void
  /** Between 0 and 1. */
  chance(): number
  report(action: string, error: unknown): void
}

/** A hanging driver leaves a process behind at each question: it is asked again less and less often (seconds). */
const hungPauses = [60, 300, 900, 1_800] as const

/**
 * One machine whose GPUs may be read: one connection, kept open, back by itself when it was lost, stopped where only
 * the person can go on.
 */
export function machineWatch(deps: MachineWatchDeps) {
  const { now, after, changed } = deps
  let link: GpuLink = { phase: 'connecting' }
  let report: GpuReport | null = null
  let at: number | null = null
  let looking = false
  let connection: SshConnection | undefined
  let read: ReturnType<typeof gpuReader> | undefined
  let offered: HostKey | undefined
  let attempts = 0
  let hung = 0
  let reading = false
  /** What began under an earlier number is over. */
  let turn = 0
  let isOver = false
  let opening: AbortController | undefined
  let cancel = (): void => undefined

  function replace(next: GpuLink): void {
    link = next
    changed()
  }

  function drop(): void {
    turn += 1
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
    const pause = pauseBefore(attempts, deps.chance())
    cancel = after(pause, connect)
    replace({ phase: 'waiting', until: now() + pause, attempts, reason })
  }

  const stop = (why: GpuStop): void => {
    drop()
    replace({ phase: 'stopped', stop: why })
  }

  function connect(): void {
    if (isOver) return
    drop()
    const mine = turn
    replace({ phase: 'connecting' })
    attempt(mine).catch((error: unknown) => {
      deps.report('gpu.connect', error)
      if (mine === turn) wait(error instanceof Error ? error.message : String(error))
    })
  }

  async function attempt(mine: number): Promise<void> {
    const reach = await deps.reach()
    if (mine !== turn) return
    if (reach.kind !== 'reachable') return stop(reach)
    const { target } = reach
    opening = new AbortController()
    const outcome = await deps.open(target, opening.signal)
    if (mine !== turn) {
      if (outcome.kind === 'connected') outcome.connection.close()
      return
    }
    const host = hostAndPort(target.host, target.port)
    switch (outcome.kind) {
      case 'connected':
        return begin(outcome.connection)
      case 'host-key-unknown':
        offered = outcome.key
        drop()
        return replace({
          phase: 'host-key-unknown',
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

  function begin(opened: SshConnection): void {
    connection = opened
    read = gpuReader(opened.exec, connectionLimits.command)
    hung = 0
    const mine = turn
    opened.onLost((reason) => {
      if (mine === turn) wait(reason)
    })
    replace({ phase: 'connected' })
    take()
  }

  /** Reads now, and plans the next reading. */
  function take(): void {
    if (!read || reading) return
    cancel()
    reading = true
    const mine = turn
    read(looking).then(
      (next) => {
        if (mine !== turn) return
        reading = false
        attempts = 0
        hung = next.kind === 'no-answer' ? hung + 1 : 0
        report = next
        at = now()
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
    const calm = looking ? readEvery.focused : readEvery.background
    const patient = hung === 0 ? calm : (hungPauses[Math.min(hung, hungPauses.length) - 1] ?? calm)
    cancel()
    cancel = after(patient, take)
  }

  return {
    link: () => link,
    report: () => report,
    at: () => at,
    isOpen: () => connection !== undefined,
    connect,
    /** Stands still until the person has done something. */
    stop,
    look: (next: boolean): void => {
      if (next === looking) return
      looking = next
      if (looking && hung === 0) take()
      else if (connection && !reading) plan()
    },
    /** The key that waits for the person's word, where it has this fingerprint. */
    trust: async (wanted: string): Promise<boolean> => {
      const key = offered
      if (!key || fingerprint(key) !== wanted) return false
      const mine = turn
      await deps.record(key)
      if (offered === key) offered = undefined
      // Where something else began meanwhile, or the machine is watched no more, the record is all that is left to do.
      if (mine === turn) connect()
      return true
    },
    /** For good. */
    close: (): void => {
      isOver = true
      drop()
    },
  }
}
export type MachineWatch = ReturnType<typeof machineWatch>
