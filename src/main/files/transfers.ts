import { randomUUID } from 'node:crypto'
import type { filesCalls, Transfer, TransferState } from '#shared/bridge/files'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import type { MonotonicClock } from '../core/clock'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { pauseBefore } from '../ssh/machines/retry-delay'
import { createDiscards } from './discard-partials'
import { filesFailure } from './transfer-failure'
import { openTransferChannel } from './transfer-channel'
import { openOneByOne } from './sessions'
import { ReusedHandle } from './sftp/client'
import { UnnamedCopy } from './sftp/session'
import { type Asks, type Job, newProgress, type Outcome, type Progress } from './transfer-job'
import { type TransferQuestions, transferQuestions } from './transfer-questions'
import { type TransferSpeed, transferSpeed } from './transfer-speed'

type MachineKey = Pick<Transfer, 'account' | 'machine'>

export interface TransfersDeps {
  connection(machine: MachineKey): SshConnection | undefined
  needsChanged(): void
  changed(): void
  settled(transfer: Transfer): void
  readonly clock: MonotonicClock
}

const maxParallelTransfers = 3
const maxAttempts = 8
const reportIntervalSeconds = 0.25

interface Entry {
  readonly id: string
  readonly facts: Pick<Transfer, 'account' | 'machine' | 'machineName' | 'direction' | 'name' | 'others'>
  readonly action: string
  readonly progress: Progress
  readonly job: Job
  readonly speed: TransferSpeed
  readonly questions: TransferQuestions
  readonly ending: AbortController
  state: TransferState | null
  /** Latest attempt; never rejects. */
  running: Promise<void>
  discarded: Promise<void>
  attempts: number
  /** The last attempt lost the connection: the transfer waits for the pause, or until the machine is connected again. */
  isPaused: boolean
  /** The last attempt left a complete copy under another name. Only the user removes it. */
  keepsCopy: boolean
  cancelRetry(): void
}

const isOver = ({ state }: Entry): boolean =>
  state !== null && (state.kind === 'done' || state.kind === 'failed' || state.kind === 'cancelled')

const hasLeftCopies = ({ state }: Entry): boolean => state?.kind === 'cancelled' && state.left.length > 0

const stateOf = ({ state, questions, progress, speed }: Entry): TransferState =>
  state ??
  questions.state() ??
  (progress.phase === 'running' ? { kind: 'running', rate: speed.rate() } : { kind: progress.phase })

const viewOf = (entry: Entry): Transfer => ({
  ...entry.facts,
  id: entry.id,
  files: { done: entry.progress.filesDone, total: entry.progress.filesTotal },
  bytes: { done: entry.progress.bytesDone, total: entry.progress.bytesTotal },
  state: stateOf(entry),
})

const doneState = (outcome: Outcome, progress: Progress): TransferState => ({
  kind: 'done',
  ...outcome,
  skipped: progress.skipped,
  links: progress.links,
  linksCopied: progress.linksCopied,
  linksFailed: progress.linksFailed,
  kept: progress.kept,
  renamed: progress.renamed,
  modesRefused: progress.modesRefused,
  timesRefused: progress.timesRefused,
})

/** Runs, retries and cancels transfers. `report` emits the transfers. */
function transferRunner(deps: TransfersDeps, entries: ReadonlyMap<string, Entry>, report: () => void) {
  const { clock } = deps
  const discards = createDiscards(deps)

  function settle(entry: Entry, state: TransferState): void {
    entry.state = state
    entry.speed.stop()
    report()
    deps.settled(viewOf(entry))
    deps.needsChanged()
    // Starts the next transfers. A transfer that lost its connection waits for its pause, too.
    for (const waiting of entries.values()) if (!waiting.isPaused) begin(waiting)
  }

  function fail(entry: Entry, error: unknown): void {
    if (entry.ending.signal.aborted) return
    entry.keepsCopy = error instanceof UnnamedCopy
    const isLost = error instanceof ReusedHandle || (error instanceof ChannelError && error.kind === 'lost')
    if (!isLost || entry.attempts >= maxAttempts) {
      const { failure } = filesFailure(error, entry.action, entry.facts.machineName)
      return settle(entry, { kind: 'failed', failure })
    }
    entry.isPaused = true
    entry.cancelRetry = clock.after(pauseBefore(entry.attempts, Math.random()), () => begin(entry))
    settle(entry, { kind: 'waiting' })
  }

  async function run(entry: Entry, connection: SshConnection): Promise<void> {
    const { signal } = entry.ending
    const before = entry.progress.bytesDone
    let opened: Awaited<ReturnType<typeof openTransferChannel>> | undefined
    try {
      opened = await openTransferChannel(connection, clock, signal)
      settle(entry, doneState(await entry.job.attempt(opened.channel, signal), entry.progress))
    } catch (error) {
      if (error instanceof ReusedHandle) openOneByOne(connection)
      entry.attempts = entry.progress.bytesDone > before ? 1 : entry.attempts + 1
      fail(entry, error)
    } finally {
      opened?.close()
    }
  }

  /** Starts a waiting transfer if its machine is connected and has fewer parallel transfers. */
  function begin(entry: Entry): void {
    if (entry.state?.kind !== 'waiting' || entry.ending.signal.aborted) return
    const connection = deps.connection(entry.facts)
    const { account, machine } = entry.facts
    const running = [...entries.values()].filter(
      ({ facts, state }) => state === null && facts.account === account && facts.machine === machine,
    )
    if (!connection || running.length >= maxParallelTransfers) return
    entry.cancelRetry()
    entry.cancelRetry = () => undefined
    entry.isPaused = false
    entry.keepsCopy = false
    entry.state = null
    entry.speed.restart()
    entry.running = run(entry, connection)
    report()
  }

  return {
    discards,
    settle,
    begin,
    /** Ends a transfer and removes its incomplete copies. `waits`: until the machine is connected. */
    async cancel(entry: Entry, waits: boolean): Promise<void> {
      const isEnded = (): boolean => entry.state?.kind === 'done' || entry.state?.kind === 'cancelled'
      entry.cancelRetry()
      entry.ending.abort()
      await entry.running
      // The attempt may have succeeded before it could be ended.
      if (!isEnded()) {
        entry.discarded = discards.discard(entry.facts, entry.job, waits).then((left) => {
          if (left.length > 0) settle(entry, { kind: 'cancelled', left })
        })
        settle(entry, { kind: 'cancelled', left: [] })
      }
      await entry.discarded
    },
  }
}

/** Copies between this computer and machines, each transfer over its own SFTP channel. */
export function createTransfers(deps: TransfersDeps) {
  const { clock } = deps
  const entries = new Map<string, Entry>()
  const { discards, settle, begin, cancel } = transferRunner(deps, entries, report)
  let cancelReport: (() => void) | undefined

  function report(): void {
    cancelReport?.()
    cancelReport = undefined
    deps.changed()
  }

  return {
    list: (): Transfer[] => [...entries.values()].map(viewOf),
    has: (id: string): boolean => entries.has(id),
    /** Adds a transfer. `earlier`: a transfer that failed before the last restart, which waits for `resume`. */
    add(
      facts: Entry['facts'],
      action: string,
      jobOf: (progress: Progress, asks: Asks) => Job,
      earlier?: Pick<Transfer, 'id' | 'state' | 'files' | 'bytes'>,
    ): Transfer {
      const progress = newProgress(changed)
      const speed = transferSpeed(clock, () => progress.bytesDone, changed)
      function changed(): void {
        speed.measure()
        cancelReport ??= clock.after(reportIntervalSeconds, report)
      }
      function answered(): void {
        speed.restart()
        report()
      }
      const questions = transferQuestions({ asked: report, answered })
      const entry: Entry = {
        id: earlier?.id ?? randomUUID(),
        facts,
        action,
        progress,
        job: jobOf(progress, questions.asks),
        speed,
        questions,
        ending: new AbortController(),
        state: earlier?.state ?? { kind: 'waiting' },
        running: Promise.resolve(),
        discarded: Promise.resolve(),
        attempts: 0,
        isPaused: false,
        keepsCopy: false,
        cancelRetry: () => undefined,
      }
      entries.set(entry.id, entry)
      if (earlier) {
        progress.filesTotal = earlier.files.total
        progress.bytesTotal = earlier.bytes.total
      }
      deps.needsChanged()
      begin(entry)
      report()
      return viewOf(entry)
    },
    /** Whether an unfinished transfer, or the removal of its copies, needs a machine. */
    needs: (account: string, machine: string): boolean =>
      discards.needs(account, machine) ||
      [...entries.values()].some(
        (entry) => !isOver(entry) && entry.facts.account === account && entry.facts.machine === machine,
      ),
    connected(): void {
      entries.forEach(begin)
      discards.connected()
    },
    answer: ({ transfer, ...answer }: CallInput<'files.answer'>): void =>
      entries.get(transfer)?.questions.answer(answer),
    answerLinks: ({ transfer, choice }: CallInput<'files.answerLinks'>): void =>
      entries.get(transfer)?.questions.answerLinks(choice),
    unfinished: (): Transfer[] => [...entries.values()].filter((entry) => !isOver(entry)).map(viewOf),
    async cancel(id: string): Promise<void> {
      const entry = entries.get(id)
      if (entry && !isOver(entry)) await cancel(entry, true)
    },
    resume(id: string): void {
      const entry = entries.get(id)
      if (entry?.state?.kind !== 'failed') return
      entry.attempts = 0
      entry.isPaused = false
      settle(entry, { kind: 'waiting' })
    },
    async dismiss(id: string): Promise<void> {
      const entry = entries.get(id)
      if (!entry || !isOver(entry)) return
      entries.delete(id)
      report()
      if (entry.state?.kind !== 'failed') return
      await cancel(entry, true)
      if (!hasLeftCopies(entry)) return
      // Shows the copies that could not be removed.
      entries.set(id, entry)
      report()
    },
    async forget(isGone: (machine: MachineKey) => boolean): Promise<void> {
      const gone = [...entries.values()].filter(({ facts }) => isGone(facts))
      await Promise.all([discards.end(isGone), ...gone.map((entry) => cancel(entry, false))])
      for (const { id } of gone) entries.delete(id)
      if (gone.length > 0) report()
    },
    async close(): Promise<void> {
      cancelReport?.()
      cancelReport = () => undefined
      const ended = [...entries.values()]
        .filter(({ keepsCopy }) => !keepsCopy)
        .map((entry) => cancel(entry, false))
      await Promise.all([discards.end(() => true), ...ended])
    },
  }
}

export function transferCalls({ list, answer, answerLinks, cancel }: ReturnType<typeof createTransfers>) {
  const thenList =
    <Input>(act: (input: Input) => unknown) =>
    async (input: Input): Promise<Transfer[]> => {
      await act(input)
      return list()
    }
  return {
    'files.transfers': list,
    'files.answer': thenList(answer),
    'files.answerLinks': thenList(answerLinks),
    'files.cancel': thenList(({ transfer }: CallInput<'files.cancel'>) => cancel(transfer)),
  } satisfies Partial<HandlersOf<typeof filesCalls>>
}
