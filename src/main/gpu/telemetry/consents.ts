import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { SettingsStore } from '../../store/settings'

const IdsByAccount = z.record(z.string(), z.array(z.string())).default({})

/** The section `gpu` of the settings, by account: what GPUs may be read. */
const Consents = z.object({
  /** Machines that were agreed to one by one. */
  machines: IdsByAccount,
  /** Accounts of which every machine is read, also later ones, each with the machines that are excepted. */
  everyMachine: IdsByAccount,
})
type Consents = z.infer<typeof Consents>

const without = (ids: readonly string[], gone: readonly string[]): string[] =>
  ids.filter((id) => !gone.includes(id))

/** Which machines' GPUs the person allows to read. What changes them fails with local-fault, and holds all the same until the application is quit. */
export function openConsents(settings: Pick<SettingsStore, 'section'>) {
  const section = settings.section('gpu', Consents)
  const of = (account: AccountId): readonly string[] => section.read().machines[account] ?? []
  const excepted = (account: AccountId): readonly string[] => section.read().everyMachine[account] ?? []
  const hasAll = (account: AccountId): boolean => Object.hasOwn(section.read().everyMachine, account)

  /** `every`: null where single machines alone are read. */
  async function change(
    account: AccountId,
    update: (one: { readonly machines: readonly string[]; readonly every: readonly string[] | null }) => {
      readonly machines: readonly string[]
      readonly every: readonly string[] | null
    },
  ): Promise<void> {
    const others = (ids: Consents['machines']): Consents['machines'] =>
      Object.fromEntries(Object.entries(ids).filter(([id]) => id !== account))
    await section.change(({ machines, everyMachine }) => {
      const next = update({ machines: machines[account] ?? [], every: everyMachine[account] ?? null })
      return {
        machines: { ...others(machines), ...(next.machines.length > 0 && { [account]: [...next.machines] }) },
        everyMachine: { ...others(everyMachine), ...(next.every && { [account]: [...next.every] }) },
      }
    })
  }

  return {
    accounts: (): readonly AccountId[] => [
      ...new Set([...Object.keys(section.read().machines), ...Object.keys(section.read().everyMachine)]),
    ],
    /** Machines that were agreed to one by one. */
    of,
    /** Whether every machine of the account is read, also those that come later. */
    hasAll,
    /** Machines that are not read although every other one is. */
    excepted,
    has: (account: AccountId, machine: string): boolean =>
      hasAll(account) ? !excepted(account).includes(machine) : of(account).includes(machine),
    give: (account: AccountId, machine: string) =>
      change(account, ({ machines, every }) => ({
        machines: every ? machines : [...without(machines, [machine]), machine],
        every: every && without(every, [machine]),
      })),
    withdraw: (account: AccountId, machine: string) =>
      change(account, ({ machines, every }) => ({
        machines: without(machines, [machine]),
        every: every && [...without(every, [machine]), machine],
      })),
    giveAll: (account: AccountId) => change(account, ({ machines }) => ({ machines, every: [] })),
    /**
     * Of machines that are gone: no consent is kept. An exception is, as a machine that comes back under its id would be
     * read without a question.
     */
    forget: (account: AccountId, gone: readonly string[]) =>
      change(account, ({ machines, every }) => ({ machines: without(machines, gone), every })),
    /** Nothing of the account is read any more. */
    forgetAccount: (account: AccountId) => change(account, () => ({ machines: [], every: null })),
  }
}
export type OpenConsents = ReturnType<typeof openConsents>
