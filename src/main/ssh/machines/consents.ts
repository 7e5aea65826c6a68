import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import {
  allowsSsh,
  SshAnswers,
  type SshConsents,
  type sshConsentCalls,
  type sshConsentEvents,
  type SshPurpose,
  sshPurposes,
} from '#shared/bridge/ssh'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { defineModule, type EventsOf } from '../../core/module'
import type { ReportError } from '../../core/report-error'
import { forgetGone, type ForgetGoneDeps } from '../../fleet/forget-gone'
import type { Sections } from '../../store/settings'
import type { FollowedMachines } from '../follow-machines'

const OfAccount = z.object({
  everyMachine: SshAnswers.default({}),
  machines: z.record(z.string(), SshAnswers).default({}),
})
type OfAccount = z.infer<typeof OfAccount>

/** Section `ssh-consents` of the settings, by account. */
const Section = z.record(z.string(), OfAccount)

/** Answers were given or forgotten, for these machines or for every machine of the account (null). */
export interface ConsentChange {
  readonly account: AccountId
  readonly machines: readonly string[] | null
  readonly purposes: readonly SshPurpose[]
}

const noAnswers: OfAccount = { everyMachine: {}, machines: {} }

const withoutEmpty = (machines: OfAccount['machines']): OfAccount['machines'] =>
  Object.fromEntries(Object.entries(machines).filter(([, own]) => Object.keys(own).length > 0))

/** Stores answers for one machine. An answer equal to the account's is dropped; those for other purposes stay. */
function withMachine(consents: OfAccount, machine: string, answers: SshAnswers): OfAccount {
  const before = Object.hasOwn(consents.machines, machine) ? consents.machines[machine] : {}
  const all: SshAnswers = { ...before, ...answers }
  const isOfAccount = (purpose: SshPurpose): boolean =>
    answers[purpose] !== undefined && answers[purpose] === (consents.everyMachine[purpose] ?? false)
  const own = Object.fromEntries(
    sshPurposes
      .filter((purpose) => all[purpose] !== undefined && !isOfAccount(purpose))
      .map((purpose) => [purpose, all[purpose]]),
  )
  return { ...consents, machines: withoutEmpty({ ...consents.machines, [machine]: own }) }
}

/** An answer for every machine ends the consents of single machines. Their exceptions stay. */
function withEveryMachine(consents: OfAccount, answers: SshAnswers): OfAccount {
  const keepsAnswer = ([purpose, isAllowed]: readonly [string, boolean | undefined]): boolean =>
    isAllowed !== true || !Object.hasOwn(answers, purpose)
  const machines = Object.entries(consents.machines).map(
    ([id, own]) => [id, Object.fromEntries(Object.entries(own).filter(keepsAnswer))] as const,
  )
  return {
    everyMachine: { ...consents.everyMachine, ...answers },
    machines: withoutEmpty(Object.fromEntries(machines)),
  }
}

/**
 * Drops the consents of machines that are gone. Their exceptions stay: a machine that comes back under its id would be
 * used without a question otherwise.
 */
function withoutConsents(consents: OfAccount, gone: readonly string[]): OfAccount {
  const machines = Object.entries(consents.machines).map(([id, own]) => {
    const exceptions = Object.entries(own).filter(([, isAllowed]) => !isAllowed)
    return [id, gone.includes(id) ? Object.fromEntries(exceptions) : own] as const
  })
  return { ...consents, machines: withoutEmpty(Object.fromEntries(machines)) }
}

/**
 * Opens the stored consents for SSH. A change applies at once. If it cannot be written, it fails with disk-full or local-fault
 * and applies until the application quits.
 */
export function openConsents(settings: Sections) {
  const section = settings.section('ssh-consents', Section)
  const changes = createEmitter<ConsentChange>()
  const of = (account: AccountId): OfAccount =>
    Object.hasOwn(section.read(), account) ? (section.read()[account] ?? noAnswers) : noAnswers

  /** `update`: undefined drops the account. */
  async function change(
    changed: ConsentChange,
    update: (consents: OfAccount) => OfAccount | undefined,
  ): Promise<void> {
    const { account } = changed
    const written = section.change((all) => {
      const otherAccounts = Object.fromEntries(Object.entries(all).filter(([id]) => id !== account))
      const next = update(all[account] ?? noAnswers)
      return next ? { ...otherAccounts, [account]: next } : otherAccounts
    })
    changes.emit(changed)
    await written
  }

  return {
    accounts: (): readonly AccountId[] => Object.keys(section.read()),
    of,
    has: (account: AccountId, machine: string, purpose: SshPurpose): boolean =>
      allowsSsh(of(account), machine, purpose),
    /** Whether every machine of the account may be used, also later ones. */
    hasAll: (account: AccountId, purpose: SshPurpose): boolean => of(account).everyMachine[purpose] ?? false,
    /** Machines with a consent of their own. */
    consented: (account: AccountId, purpose?: SshPurpose): readonly string[] =>
      Object.entries(of(account).machines).flatMap(([id, own]) =>
        (purpose ? own[purpose] : Object.values(own).includes(true)) ? [id] : [],
      ),
    answer: (account: AccountId, machine: string | null, answers: SshAnswers): Promise<void> =>
      change(
        {
          account,
          machines: machine === null ? null : [machine],
          purposes: sshPurposes.filter((purpose) => Object.hasOwn(answers, purpose)),
        },
        (consents) =>
          machine === null ? withEveryMachine(consents, answers) : withMachine(consents, machine, answers),
      ),
    /** Drops the consents of machines that are gone. */
    forget: (account: AccountId, gone: readonly string[]): Promise<void> =>
      change({ account, machines: gone, purposes: sshPurposes }, (consents) =>
        withoutConsents(consents, gone),
      ),
    forgetAccount: (account: AccountId): Promise<void> =>
      change({ account, machines: null, purposes: sshPurposes }, () => undefined),
    onChange: changes.on,
  }
}
export type OpenConsents = ReturnType<typeof openConsents>

export interface SshConsentsDeps
  extends Pick<ForgetGoneDeps, 'fleet' | 'details'>, Pick<FollowedMachines, 'machine' | 'onGone'> {
  readonly consents: OpenConsents
  readonly report: ReportError
}

/** Serves the consents for SSH to the window. Drops the consents of deleted machines. */
export function createSshConsents({ consents, fleet, details, report, ...deps }: SshConsentsDeps) {
  const changes = createEmitter<SshConsents>()
  const view = (account: AccountId): SshConsents => ({ account, ...consents.of(account) })

  const unsubscribe = [
    consents.onChange(({ account }) => changes.emit(view(account))),
    forgetGone({
      fleet,
      onGone: deps.onGone,
      remembered: (account) => consents.consented(account),
      isListed: (account, id) => deps.machine(account, id) !== undefined,
      details,
      async forget(account, ids) {
        if (consents.consented(account).some((id) => ids.includes(id))) await consents.forget(account, ids)
      },
      report: (error) => report('ssh.forgetConsents', error),
    }),
  ]

  const handlers: HandlersOf<typeof sshConsentCalls> = {
    'ssh.consents': ({ account }) => view(account),
    'ssh.setConsents': async ({ account, machine, answers }) => {
      if (machine !== null && deps.machine(account, machine) === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      await consents.answer(account, machine, answers)
      return view(account)
    },
  }
  const events: EventsOf<typeof sshConsentEvents> = { 'ssh.consentsChanged': changes.on }
  return defineModule({
    handlers,
    events,
    forgetAccount: consents.forgetAccount,
    close: (): void => unsubscribe.forEach((end) => end()),
  })
}
