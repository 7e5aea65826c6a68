import type { AccountId } from '#shared/bridge/account'
import type { CreationState, UnreadSetUp } from '#shared/bridge/creation'
import type { MachineView } from '#shared/bridge/fleet'
import type { JobLog } from '#shared/bridge/job'
import type { SshLink } from '#shared/bridge/ssh-link'
import { setUpScript } from '#shared/set-up-script'
import type { Clock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import { leaseWhile } from '../ssh/machines/lease-while'
import type { SshMachines } from '../ssh/machines/index'
import { readSetUp, type SetUpReading, type SetUpResult } from './set-up'

/** Time after which SSH counts as silent: its connection is retried less often from then on. */
const maxSilentSeconds = 15 * 60
/** Time in which keys may arrive on a machine whose SSH server refused them. */
const lateKeySeconds = 150
/** Longest set-up that is followed. */
const maxSetUpSeconds = 60 * 60
/** Pause between two readings of the set-up. */
const setUpIntervalSeconds = 10
/**
 * Longest waits for a set-up. It may never start, although cloud-init is installed. During a set-up, a busy machine may be
 * silent.
 */
const maxWaitingSeconds = { 'not-started': 2 * 60, silent: 6 * 60 } as const

type Running = Extract<CreationState, { kind: 'running' }>
export type BootEnd =
  | ({ readonly kind: 'running' } & Pick<Running, 'ssh' | 'stop'>)
  | ({ readonly kind: 'ready' } & SetUpResult)

export interface BootWatchDeps {
  readonly account: AccountId
  readonly machine: string
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  view(): MachineView | undefined
  /** Whether the user allows SSH on new machines. */
  isAllowed(): boolean
  /** Whether that applies to every machine, so that a first host key is recorded. */
  trustsFirstKey(): boolean
  /** Whether the user waits for this machine. */
  isAsked(): boolean
  /** The link has changed. */
  changed(): void
  /** SSH answers for the first time. `isSetUpRead`: `ended` follows once the set-up is over. */
  answered(isSetUpRead: boolean): void
  /** cloud-init has reported that it runs. */
  begun(): void
  /** Called once. */
  ended(end: BootEnd): void
  readonly clock: Clock
}

const lost: JobLog = { kind: 'stopped', state: { kind: 'lost' } }

/** Follows the set-up over an open connection. `over` is called once. */
function createSetUpReader(clock: Clock, begun: () => void, over: (result: SetUpResult) => void) {
  let generation = 0
  let connection: SshConnection | undefined
  /** Times of the first readings of each kind since cloud-init last ran. */
  const waitsSince = new Map<'not-started' | 'silent', number>()
  let isRunning = false
  let cancel = (): void => undefined

  function stop(): void {
    generation += 1
    cancel()
    connection = undefined
  }
  function follow(reading: SetUpReading | undefined): void {
    if (reading?.kind === 'over') return over(reading)
    if (reading?.kind === 'running') {
      isRunning = true
      begun()
    }
    if (reading?.kind === 'waiting') {
      if (reading.why === 'not-started') isRunning = false
      const since = waitsSince.get(reading.why) ?? clock.now()
      waitsSince.set(reading.why, since)
      if (clock.now() - since >= maxWaitingSeconds[reading.why])
        return over({ setUp: reading.why, detail: null, log: null })
    } else waitsSince.clear()
    cancel = clock.after(setUpIntervalSeconds, () => void read(false))
  }
  /** Reads now, and again after a pause. */
  async function read(hasLog: boolean): Promise<JobLog> {
    if (!connection) return lost
    generation += 1
    const own = generation
    cancel()
    const outcome = await connection.exec(setUpScript(hasLog)).catch(() => null)
    const answer = outcome && readSetUp(outcome)
    if (own === generation) follow(answer?.reading)
    return answer?.log ?? lost
  }
  return {
    open(opened: SshConnection): void {
      stop()
      connection = opened
      void read(false)
    },
    stop,
    /** Whether cloud-init ran at its last answer. */
    isRunning: (): boolean => isRunning,
    log: (): Promise<JobLog> => read(true),
  }
}

/**
 * Waits until SSH answers on a machine that runs, and then for its set-up, over the machine's shared connection. Without
 * the user's consent, it connects only while the user waits for the machine, and reads no set-up.
 */
export function bootWatch(deps: BootWatchDeps) {
  const { clock, sshMachines: machines } = deps
  let hasAnswered = false
  let isOver = false
  let cancelLateKey: (() => void) | undefined
  let cancelTimeout = clock.after(maxSilentSeconds, () => end({ kind: 'running', ssh: 'silent', stop: null }))
  const setUp = createSetUpReader(clock, deps.begun, (result) => end({ ...result, kind: 'ready' }))

  const automatic = leaseWhile({
    ...deps,
    machines,
    purpose: 'startup',
    isWanted: deps.isAllowed,
    mayAsk: () => false,
    isUrgent: () => false,
    changed: follow,
    opened: setUp.open,
    closed: setUp.stop,
  })
  const asked = leaseWhile({
    ...deps,
    machines,
    purpose: 'action',
    isWanted: deps.isAsked,
    mayAsk: () => true,
    trustsFirstKey: () => true,
    isUrgent: () => false,
    changed: follow,
    opened: () => undefined,
    closed: () => undefined,
  })
  const link = (): SshLink => (deps.isAsked() ? asked : automatic).view()
  let lastWait: SshLink | undefined

  function close(): void {
    isOver = true
    cancelTimeout()
    cancelLateKey?.()
    setUp.stop()
    automatic.close()
    asked.close()
  }
  function end(result: BootEnd): void {
    if (isOver) return
    close()
    deps.ended(result)
  }

  const endUnread = (setUp: UnreadSetUp): void => end({ kind: 'ready', setUp, detail: null, log: null })

  /** SSH answers. `unread`: why the set-up is not followed. */
  function answer(unread: UnreadSetUp | null): void {
    hasAnswered = true
    cancelTimeout()
    cancelLateKey?.()
    deps.answered(unread === null)
    if (unread) return endUnread(unread)
    cancelTimeout = clock.after(maxSetUpSeconds, () => endUnread(setUp.isRunning() ? 'too-long' : 'silent'))
  }

  function follow(): void {
    if (isOver) return
    const now = link()
    if (now.kind === 'waiting') lastWait = now
    deps.changed()
    if (hasAnswered) {
      // The user must act, such as after a set-up that changed the host key or the port.
      if (automatic.view().kind === 'stopped') endUnread('silent')
      return
    }
    if (now.kind === 'connected') return answer(deps.isAllowed() ? null : 'not-allowed')
    // The server answers with its key, which the user confirms on the first connection.
    if (now.kind === 'host-key-unknown') return answer('host-key')
    if (now.kind !== 'stopped') return
    const { stop } = now
    const blocked = (): void => end({ kind: 'running', ssh: 'blocked', stop })
    if (stop.kind === 'key-refused') cancelLateKey ??= clock.after(lateKeySeconds, blocked)
    else blocked()
  }

  return {
    /** The link for the window: a retry shows why the attempt before it failed, so that the text does not flicker. */
    link(): SshLink {
      const now = link()
      return now.kind === 'connecting' && lastWait ? lastWait : now
    },
    /** Applies changed answers of the dependencies. */
    settle(): void {
      if (isOver) return
      automatic.settle()
      asked.settle()
      if (hasAnswered && !deps.isAllowed()) return endUnread('not-allowed')
      if (!hasAnswered && !deps.isAllowed() && !deps.isAsked())
        return end({ kind: 'running', ssh: 'unchecked', stop: null })
      follow()
    },
    log: setUp.log,
    close,
  }
}
export type BootWatch = ReturnType<typeof bootWatch>
