import { randomUUID } from 'node:crypto'
import type { filesCalls, LinkChoice, TakenChoice, Transfer, TransferState } from '#shared/bridge/files'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { onAbort } from '../core/on-abort'
import type { MonotonicClock } from '../core/clock'
import { errorOf } from '../ssh/client/channel-stream'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { pauseBefore } from '../ssh/machines/retry-delay'
import { createDiscards } from './discard-partials'
import { filesFailure } from './transfer-failure'
import { openLine } from './transfer-channel'
import { openOneByOne } from './sessions'
import { ReusedHandle } from './sftp/client'
import { UnnamedCopy } from './sftp/session'
import { type Asks, type Job, newProgress, type Progress, type Taken } from './transfer-job'

export interface TransfersDeps {
  /** The connection to the machine of a transfer, where it stands. */
  connection(of: Pick<Transfer, 'account' | 'machine'>): SshConnection | undefined
  /** Whether a transfer needs the machine has changed. */
  needsChanged(): void
  /** Any transfer has changed. */
  changed(): void
  /** A transfer waits, is complete, cancelled, or has failed. */
  settled(transfer: Transfer): void
  readonly clock: MonotonicClock
}

/** Transfers of one machine that are under way at once; the others wait. */
const atOnce = 3
/** Attempts without a byte more before a transfer fails. */
const mostAttempts = 8
/** Seconds between two changes that are shown, and over which the speed is taken at least. */
const showEvery = 0.25
const measureEvery = 1
/** Seconds without a byte after which the speed is zero: the line may be gone without a word. */
const stalledAfter = 10

type Question =
  | { readonly kind: 'taken'; readonly taken: Taken; answer(choice: TakenChoice): void }
  | {
      readonly kind: 'links'
      readonly links: Parameters<Asks['links']>[0]
      answer(choice: LinkChoice): void
    }

interface Entry {
  readonly id: string
  readonly facts: Pick<Transfer, 'account' | 'machine' | 'machineName' | 'direction' | 'name' | 'others'>
  readonly action: string
  readonly progress: Progress
  readonly job: Job
  /** Null while an attempt is under way. */
  state: TransferState | null
  /** The last attempt, which never rejects. */
  running: Promise<void>
  /** Settles once what was copied is removed. */
  discarded: Promise<void>
  ending: AbortController
  attempts: number
  /** When the speed was measured last, and how much had been copied. */
  sample: { readonly at: number; readonly bytes: number }
  rate: number | null
  /** What the person is asked, and what counts for all files, or folders, that are asked about from now on. */
  question: Question | null
  readonly always: Partial<Record<Taken['there'], TakenChoice>>
  /** Its last attempt lost the connection: it waits until the pause is over or the machine is connected again. */
  isPaused: boolean
  /** Its last attempt left a whole copy under another name. Only the user removes it. */
  keepsCopy: boolean
  cancelRetry(): void
  /** Ends the wait for its next byte. */
  cancelStall(): void
}

/** What is copied between this computer and machines, each in its own SFTP channel. */
export function createTransfers(deps: TransfersDeps) {
  const { clock } = deps
  const entries = new Map<string, Entry>()
  const discards = createDiscards(deps)
  let cancelShow: (() => void) | undefined

  const isOver = ({ state }: Entry): boolean =>
    state !== null && (state.kind === 'done' || state.kind === 'failed' || state.kind === 'cancelled')

  const hasLeft = ({ state }: Entry): boolean => state?.kind === 'cancelled' && state.left.length > 0

  function stateOf(entry: Entry): TransferState {
    if (entry.state) return entry.state
    if (entry.question?.kind === 'taken') return { kind: 'asking', ...entry.question.taken }
    if (entry.question) return { kind: 'asking-links', ...entry.question.links }
    return entry.progress.phase === 'running'
      ? { kind: 'running', rate: entry.rate }
      : { kind: entry.progress.phase }
  }
  const viewOf = (entry: Entry): Transfer => ({
    ...entry.facts,
    id: entry.id,
    files: { done: entry.progress.filesDone, total: entry.progress.filesTotal },
    bytes: { done: entry.progress.bytesDone, total: entry.progress.bytesTotal },
    state: stateOf(entry),
  })

  function showNow(): void {
    cancelShow?.()
    cancelShow = undefined
    deps.changed()
  }
  /** From now on its speed is measured anew. */
  function sample(entry: Entry, rate: Entry['rate']): void {
    entry.rate = rate
    entry.sample = { at: clock.monotonic(), bytes: entry.progress.bytesDone }
    entry.cancelStall()
    entry.cancelStall = clock.after(stalledAfter, () => {
      if (entry.progress.bytesDone === entry.sample.bytes) sample(entry, 0)
      show(entry)
    })
  }
  function measure(entry: Entry): void {
    const moved = entry.progress.bytesDone - entry.sample.bytes
    const passed = clock.monotonic() - entry.sample.at
    // A file that is begun anew has fewer.
    if (moved < 0 || (moved > 0 && entry.rate === 0)) return sample(entry, null)
    if (moved === 0 || passed < measureEvery) return
    const rate = moved / passed
    sample(entry, entry.rate === null ? rate : 0.6 * entry.rate + 0.4 * rate)
  }
  function show(entry: Entry): void {
    measure(entry)
    cancelShow ??= clock.after(showEvery, showNow)
  }

  const ask = <Answer>(
    entry: Entry,
    questionWith: (answer: (choice: Answer) => void) => Question,
    signal: AbortSignal,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(errorOf(signal.reason))
      const forget = onAbort(signal, stop)
      function end(): void {
        entry.question = null
        forget()
      }
      function stop(): void {
        end()
        reject(errorOf(signal.reason))
      }
      const answer = (choice: Answer): void => {
        end()
        sample(entry, null)
        resolve(choice)
        showNow()
      }
      entry.question = questionWith(answer)
      showNow()
    })
  const asksOf = (entry: () => Entry): Asks => ({
    async taken(taken, signal) {
      const known = entry().always[taken.there]
      return known ?? ask(entry(), (answer) => ({ kind: 'taken', taken, answer }), signal)
    },
    links: (links, signal) => ask(entry(), (answer) => ({ kind: 'links', links, answer }), signal),
  })

  function settle(entry: Entry, state: TransferState): void {
    entry.state = state
    entry.cancelStall()
    showNow()
    deps.settled(viewOf(entry))
    deps.needsChanged()
    beginWaiting()
  }

  function fail(entry: Entry, error: unknown): void {
    if (entry.ending.signal.aborted) return
    entry.keepsCopy = error instanceof UnnamedCopy
    const isLost = error instanceof ReusedHandle || (error instanceof ChannelError && error.kind === 'lost')
    if (!isLost || entry.attempts >= mostAttempts)
      return settle(entry, {
        kind: 'failed',
        failure: filesFailure(error, entry.action, entry.facts.machineName).failure,
      })
    entry.isPaused = true
    entry.cancelRetry = clock.after(pauseBefore(entry.attempts, Math.random()), () => begin(entry))
    settle(entry, { kind: 'waiting' })
  }

  async function run(entry: Entry, connection: SshConnection): Promise<void> {
    const { signal } = entry.ending
    const before = entry.progress.bytesDone
    let opened: Awaited<ReturnType<typeof openLine>> | undefined
    try {
      opened = await openLine(connection, clock, signal)
      const outcome = await entry.job.attempt(opened.line, signal)
      const { skipped, links, linksCopied, linksFailed, kept, renamed, modesRefused, timesRefused } =
        entry.progress
      settle(entry, {
        kind: 'done',
        ...outcome,
        skipped,
        links,
        linksCopied,
        linksFailed,
        kept,
        renamed,
        modesRefused,
        timesRefused,
      })
    } catch (error) {
      if (error instanceof ReusedHandle) openOneByOne(connection)
      entry.attempts = entry.progress.bytesDone > before ? 1 : entry.attempts + 1
      fail(entry, error)
    } finally {
      opened?.close()
    }
  }

  function begin(entry: Entry): void {
    if (entry.state?.kind !== 'waiting' || entry.ending.signal.aborted) return
    const connection = deps.connection(entry.facts)
    const { account, machine } = entry.facts
    const running = [...entries.values()].filter(
      ({ facts, state }) => state === null && facts.account === account && facts.machine === machine,
    )
    if (!connection || running.length >= atOnce) return
    entry.cancelRetry()
    entry.cancelRetry = () => undefined
    entry.isPaused = false
    entry.keepsCopy = false
    entry.state = null
    sample(entry, null)
    entry.running = run(entry, connection)
    showNow()
  }

  /** Starts transfers that wait for their turn. A transfer that lost its channel waits for its pause, too. */
  function beginWaiting(): void {
    for (const entry of entries.values()) if (!entry.isPaused) begin(entry)
  }

  /** Ends it, and removes what was copied of it so far. `waits`: for a machine that is not connected. */
  async function cancel(entry: Entry, waits: boolean): Promise<void> {
    const isEnded = (): boolean => entry.state?.kind === 'done' || entry.state?.kind === 'cancelled'
    entry.cancelRetry()
    entry.ending.abort()
    await entry.running
    // It may have been whole before it could be ended.
    if (!isEnded()) {
      entry.discarded = discards.discard(entry.facts, entry.job, waits).then((left) => {
        if (left.length > 0) settle(entry, { kind: 'cancelled', left })
      })
      settle(entry, { kind: 'cancelled', left: [] })
    }
    await entry.discarded
  }

  return {
    list: (): Transfer[] => [...entries.values()].map(viewOf),
    has: (id: string): boolean => entries.has(id),
    /** `earlier`: a transfer of this id that failed before the last restart. It waits for `resume`. */
    add(
      facts: Entry['facts'],
      action: string,
      jobOf: (progress: Progress, asks: Asks) => Job,
      earlier?: Pick<Transfer, 'id' | 'state' | 'files' | 'bytes'>,
    ): Transfer {
      const id = earlier?.id ?? randomUUID()
      const progress = newProgress(progressed)
      const job = jobOf(progress, asksOf(self))
      const entry: Entry = {
        id,
        facts,
        action,
        progress,
        job,
        state: earlier?.state ?? { kind: 'waiting' },
        attempts: 0,
        running: Promise.resolve(),
        discarded: Promise.resolve(),
        ending: new AbortController(),
        sample: { at: 0, bytes: 0 },
        rate: null,
        question: null,
        always: {},
        isPaused: false,
        keepsCopy: false,
        cancelRetry: () => undefined,
        cancelStall: () => undefined,
      }
      function progressed(): void {
        show(entry)
      }
      function self(): Entry {
        return entry
      }
      entries.set(id, entry)
      if (earlier) {
        progress.filesTotal = earlier.files.total
        progress.bytesTotal = earlier.bytes.total
      }
      deps.needsChanged()
      begin(entry)
      showNow()
      return viewOf(entry)
    },
    /** Whether a machine is needed by what is under way or waits. */
    needs: (account: string, machine: string): boolean =>
      discards.needs(account, machine) ||
      [...entries.values()].some(
        (entry) => !isOver(entry) && entry.facts.account === account && entry.facts.machine === machine,
      ),
    /** A machine is connected: what waits for it begins. */
    connected(): void {
      entries.forEach(begin)
      discards.connected()
    },
    answer({ transfer, name, choice, forAll }: CallInput<'files.answer'>): void {
      const entry = entries.get(transfer)
      if (entry?.question?.kind !== 'taken' || entry.question.taken.name !== name) return
      if (forAll) entry.always[entry.question.taken.there] = choice
      entry.question.answer(choice)
    },
    answerLinks({ transfer, choice }: CallInput<'files.answerLinks'>): void {
      const question = entries.get(transfer)?.question
      if (question?.kind === 'links') question.answer(choice)
    },
    /** Those that are under way or wait. */
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
      showNow()
      if (entry.state?.kind !== 'failed') return
      await cancel(entry, true)
      // What could not be removed is named.
      if (!hasLeft(entry)) return
      entries.set(id, entry)
      showNow()
    },
    /** Ends and removes those of a machine that is gone. */
    async forget(isGone: (of: Pick<Transfer, 'account' | 'machine'>) => boolean): Promise<void> {
      const gone = [...entries.values()].filter(({ facts }) => isGone(facts))
      await Promise.all([discards.end(isGone), ...gone.map((entry) => cancel(entry, false))])
      for (const { id } of gone) entries.delete(id)
      if (gone.length > 0) showNow()
    },
    async close(): Promise<void> {
      cancelShow?.()
      cancelShow = () => undefined
      const ended = [...entries.values()]
        .filter(({ keepsCopy }) => !keepsCopy)
        .map((entry) => cancel(entry, false))
      await Promise.all([discards.end(() => true), ...ended])
    },
  }
}

/** What the window may do with transfers. */
export const transferCalls = (transfers: ReturnType<typeof createTransfers>) =>
  ({
    'files.transfers': () => transfers.list(),
    'files.answer': (input) => {
      transfers.answer(input)
      return transfers.list()
    },
    'files.answerLinks': (input) => {
      transfers.answerLinks(input)
      return transfers.list()
    },
    'files.cancel': async ({ transfer }) => {
      await transfers.cancel(transfer)
      return transfers.list()
    },
  }) satisfies Partial<HandlersOf<typeof filesCalls>>
