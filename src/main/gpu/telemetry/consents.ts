import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { SettingsStore } from '../../store/settings'

/** The section `gpu` of the settings: the machines whose GPUs may be read, by account. */
const Consents = z.object({ machines: z.record(z.string(), z.array(z.string())).default({}) })

/** Which machines' GPUs the person allows to read. */
export function openConsents(settings: Pick<SettingsStore, 'section'>) {
  const section = settings.section('gpu', Consents)
  const of = (account: AccountId): readonly string[] => section.read().machines[account] ?? []
  const change = async (account: AccountId, update: (machines: readonly string[]) => readonly string[]) => {
    await section.change(({ machines }) => {
      const others = Object.fromEntries(Object.entries(machines).filter(([id]) => id !== account))
      const mine = update(machines[account] ?? [])
      return { machines: mine.length === 0 ? others : { ...others, [account]: [...mine] } }
    })
  }
  return {
    accounts: (): readonly AccountId[] => Object.keys(section.read().machines),
    of,
    has: (account: AccountId, machine: string): boolean => of(account).includes(machine),
    /** Both fail with local-fault, and hold all the same until the application is quit. */
    give: (account: AccountId, machine: string) =>
      change(account, (machines) => [...machines.filter((one) => one !== machine), machine]),
    withdraw: (account: AccountId, gone: readonly string[]) =>
      change(account, (machines) => machines.filter((one) => !gone.includes(one))),
    forgetAccount: (account: AccountId) => change(account, () => []),
  }
}
