import type { AccountId } from '#shared/bridge/account'
import type { CreationState, SetUp, UnreadSetUp } from '#shared/bridge/creation'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../core/clock'
import type { SshConnection } from '../ssh/client/transport'
import { leaseWhile } from '../ssh/machines/lease-while'
import type { SshMachines } from '../ssh/machines/index'
import { readSetUp, setUpCommand } from './set-up'

/** Time after which SSH counts as silent: its connection is retried less often from then on. */
const maxSilentSeconds = 15 * 60
/** Time in which keys may arrive on a machine whose SSH server refused them. */
const lateKeySeconds = 150
/** Longest set-up that is followed. */
const maxSetUpSeconds = 60 * 60
/** Pause between two readings of the set-up. */
const setUpIntervalSeconds = 10
/** Readings of a set-up that has not started. It may never start, although cloud-init is installed. */
const maxWaitingReadings = 12

type Running = Extract<CreationState, { kind: 'running' }>
export type BootEnd =
  | ({ readonly kind: 'running' } & Pick<Running, 'ssh' | 'stop'>)
  | { readonly kind: 'ready'; readonly setUp: SetUp; readonly detail: string | null }

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
  /** Called once. */
  ended(end: BootEnd): void
  readonly clock: Clock
}

/** Follows the set-up over an open connection. `over` is called once. */
function createSetUpReader(clock: Clock, over: (setUp: SetUp, detail: string | null) => void) {
  let generation = 0
  let waitingReadings = 0
  let cancel = (): void => undefined

  function stop(): void {
    generation += 1
    cancel()
  }
  async function read(connection: SshConnection): Promise<void> {
    stop()
    const reading = generation
    const outcome = await connection.exec(setUpCommand).catch(() => null)
    if (reading !== generation) return
    const result = outcome && readSetUp(outcome)
    if (result?.kind === 'over') return over(result.setUp, result.detail)
    waitingReadings = result?.kind === 'waiting' ? waitingReadings + 1 : 0
    if (result?.kind === 'waiting' && waitingReadings >= maxWaitingReadings) return over(result.why, null)
    cancel = clock.after(setUpIntervalSeconds, () => void read(connection))
  }
  return { read: (connection: SshConnection): void => void read(connection), stop }
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
  const setUp = createSetUpReader(clock, (result, detail) => end({ kind: 'ready', setUp: result, detail }))

  const automatic = leaseWhile({
    ...deps,
    machines,
    purpose: 'startup',
    isWanted: deps.isAllowed,
    mayAsk: () => false,
    isUrgent: () => false,
    changed: follow,
    opened: setUp.read,
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

  const endUnread = (setUp: UnreadSetUp): void => end({ kind: 'ready', setUp, detail: null })

  /** SSH answers. `unread`: why the set-up is not followed. */
  function answer(unread: UnreadSetUp | null): void {
    hasAnswered = true
    cancelTimeout()
    cancelLateKey?.()
    deps.answered(unread === null)
    if (unread) return endUnread(unread)
    cancelTimeout = clock.after(maxSetUpSeconds, () => endUnread('too-long'))
  }

  function follow(): void {
    if (isOver) return
    const now = link()
    if (now.kind === 'waiting') lastWait = now
    deps.changed()
    if (hasAnswered) return
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
    close,
  }
}
export type BootWatch = ReturnType<typeof bootWatch>
