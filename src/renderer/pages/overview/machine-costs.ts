import { shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { Money } from '#shared/money/money'
import { bridge } from '../../platform/bridge'

/** Machines of one account that are asked for at once. */
const most = 1_000

/** What machines cost per hour, as usage says, asked anew whenever `asked` says something else. */
export function useMachineCosts(
  asked: () => readonly {
    readonly account: AccountId
    readonly machines: readonly string[]
    readonly asOf: number
  }[],
) {
  const rates = shallowReactive(new Map<AccountId, ReadonlyMap<string, Money>>())
  const last = new Map<AccountId, string>()

  async function read(account: AccountId, machines: readonly string[]): Promise<void> {
    try {
      const { items } = await bridge.call('cost.resources', {
        account,
        period: null,
        only: machines.slice(0, most),
        limit: null,
      })
      const known = items.flatMap(({ resource, currency, perHour }) =>
        perHour === null ? [] : [[resource.id, { currency, millionths: perHour }] as const],
      )
      rates.set(account, new Map(known))
    } catch (error) {
      // Their cost is then unknown; the next change of the spending asks again.
      console.error('cost.resources', error)
    }
  }

  watch(
    asked,
    (all) => {
      for (const { account, machines, asOf } of all) {
        const question = `${String(asOf)} ${machines.join(' ')}`
        if (machines.length === 0 || last.get(account) === question) continue
        last.set(account, question)
        void read(account, machines)
      }
    },
    { immediate: true },
  )

  return {
    perHour: (account: AccountId, machine: string): Money | null => rates.get(account)?.get(machine) ?? null,
  }
}
