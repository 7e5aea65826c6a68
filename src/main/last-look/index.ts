import pLimit from 'p-limit'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, CallOutput, HandlersOf } from '#shared/bridge/index'
import type { Job } from '#shared/bridge/job'
import { type lastLookCalls, type LookBefore, type LookOutcome } from '#shared/bridge/last-look'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { execOnMachine, runOnMachine } from '../commands/machine-run'
import type { Clock } from '../core/clock'
import { onAbort } from '../core/on-abort'
import { defineModule } from '../core/module'
import { oneLine } from '../core/one-line'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import { branchesOf, branchesScript } from './branches'
import { lookOf } from './look-of'
import { lookScript } from './script'

export interface LastLookDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has' | 'hasAll'>
  /** Running jobs of a machine. Never rejects. */
  runningJobs(account: AccountId, machine: string): Promise<readonly Job[]>
  readonly clock: Clock
  /** Returns the script. Tests look at other places. */
  script?(before: LookBefore): string
}

/** Longest time in seconds to connect, of the look itself, and to read the stored jobs. */
const maxSeconds = { connect: 10, look: 10, jobs: 2 } as const
/** Machines that are read at a time. */
const maxAtOnce = 4
/** Characters of the answer that are read. */
const maxAnswerLength = 2_000_000

interface LookOrder {
  readonly account: AccountId
  readonly machine: string
  readonly before: LookBefore
  /** Whether a sign-in may ask the user. */
  readonly mayAsk: boolean
}

interface Look {
  readonly controller: AbortController
  readonly outcome: Promise<LookOutcome>
}

/** Looks once at a machine before it is stopped or deleted. Reads only, and stores nothing. */
export function createLastLook(deps: LastLookDeps) {
  const { clock, consents } = deps
  const looks = new Map<string, Look>()
  const script = deps.script ?? lookScript
  const limit = pLimit(maxAtOnce)
  const closing = new AbortController()

  async function read(
    { account, machine, before, mayAsk }: LookOrder,
    controller: AbortController,
  ): Promise<LookOutcome> {
    let output = ''
    let isCut = false
    let hasBegun = false
    let cancelWait = (): void => undefined
    const cancelTimeout = clock.after(maxSeconds.connect, () => hasBegun || controller.abort())
    try {
      const state = await runOnMachine(
        {
          account,
          machine,
          acquire: deps.sshMachines.acquire,
          clock,
          command: script(before),
          shell: 'sh',
          seconds: maxSeconds.look,
          limit: maxAnswerLength,
          send({ from, text, leftOut }) {
            if (from !== 'stdout') return
            output += text
            isCut ||= leftOut > 0
          },
          begun: () => (hasBegun = true),
          use: {
            purpose: 'look',
            mayAsk: () => mayAsk,
            trustsFirstKey: () => mayAsk || consents.hasAll(account, 'look'),
          },
        },
        controller.signal,
      )
      if (!hasBegun && state.kind === 'cancelled')
        return { kind: 'stopped', state: { kind: 'timed-out', seconds: maxSeconds.connect } }
      const isPartial = state.kind === 'timed-out' || state.kind === 'printed-too-much'
      if (state.kind !== 'exited' && !isPartial) return { kind: 'stopped', state }
      // While the store waits for the keychain, the jobs are unknown.
      const given = new Promise<null>((resolve) => {
        const stop = onAbort(controller.signal, () => resolve(null))
        const cancel = clock.after(maxSeconds.jobs, () => resolve(null))
        cancelWait = () => {
          stop()
          cancel()
        }
      })
      const watched = await Promise.race([deps.runningJobs(account, machine), given])
      const look = lookOf(output, before, Math.floor(clock.now()), watched ?? [])
      if (!watched) look.gaps.push({ part: 'answer', reason: 'out-of-time' })
      if (isPartial && output === '') return { kind: 'stopped', state }
      if (isCut) look.gaps.push({ part: 'answer', reason: 'too-long' })
      else if (state.kind === 'timed-out') look.gaps.push({ part: 'answer', reason: 'out-of-time' })
      return { kind: 'looked', look }
    } finally {
      cancelTimeout()
      cancelWait()
    }
  }

  /** Looks at a machine. Never rejects; a second order during a look resolves to the same look. */
  function look(order: LookOrder): Promise<LookOutcome> {
    const { account, machine: id, before } = order
    const machine = deps.machine(account, id)
    const why = machine ? sshDisabledReason(machine) : 'gone'
    if (why) return Promise.resolve({ kind: 'stopped', state: { kind: 'unavailable', why } })
    if (!consents.has(account, id, 'look')) return Promise.resolve({ kind: 'no-consent' })
    const key = `${before} ${resourceKey(account, id)}`
    const running = looks.get(key)
    if (running) return running.outcome
    const controller = new AbortController()
    const outcome = limit(() => read(order, controller)).finally(() => looks.delete(key))
    looks.set(key, { controller, outcome })
    return outcome
  }

  /** Reads the branches of a repository that can be pushed, because the user asks for it. */
  async function branches({
    account,
    machine,
    path,
  }: CallInput<'lastLook.branches'>): Promise<CallOutput<'lastLook.branches'>> {
    const view = deps.machine(account, machine)
    const why = view ? sshDisabledReason(view) : 'gone'
    if (why) return { kind: 'stopped', state: { kind: 'unavailable', why } }
    const target = { account, machine, acquire: deps.sshMachines.acquire }
    const result = await execOnMachine(target, closing.signal, branchesScript(path))
    if ('state' in result) return { kind: 'stopped', state: result.state }
    const { outcome } = result
    if (outcome.kind === 'not-begun') return { kind: 'stopped', state: outcome }
    if (outcome.kind === 'timed-out')
      return { kind: 'stopped', state: { kind: 'timed-out', seconds: maxSeconds.look } }
    const places = branchesOf(outcome.stdout)
    return places
      ? { kind: 'read', ...places }
      : { kind: 'unread', reason: oneLine(outcome.stderr).trim().slice(0, 300) }
  }

  const cancelAll = (isAffected: (key: string) => boolean): void => {
    for (const [key, { controller }] of looks) if (isAffected(key)) controller.abort()
  }
  const handlers: HandlersOf<typeof lastLookCalls> = {
    'lastLook.branches': branches,
    'lastLook.look': ({ isUnattended = false, ...order }) => look({ ...order, mayAsk: !isUnattended }),
  }
  return defineModule({
    handlers,
    events: {},
    look,
    forgetAccount: (account: AccountId): void =>
      cancelAll((key) => isKeyOf(account, key.slice(key.indexOf(' ') + 1))),
    async close(): Promise<void> {
      closing.abort()
      const outcomes = [...looks.values()].map(({ outcome }) => outcome)
      cancelAll(() => true)
      await Promise.allSettled(outcomes)
    },
  })
}
export type LastLooks = ReturnType<typeof createLastLook>
