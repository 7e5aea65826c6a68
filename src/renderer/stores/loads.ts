import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { LoadView } from '#shared/bridge/metrics'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { gpuHour } from './last-hour'
import { useLooking } from './in-view'
import { useResourceMap } from './per-account'

/** What a machine did in the last hour; null where it is not known. */
export interface MachineLoad {
  readonly cpu: LoadView | null
  readonly gpu: ReturnType<typeof gpuHour> | null
}

const gpuSpan = 3_600

/** The load of the last hour of machines in view, read again while they are. No service is asked too often (main's loads.ts). */
export const useLoads = defineStore('loads', () => {
  const loads = useResourceMap<MachineLoad>()
  const of = (account: AccountId, machine: string): MachineLoad | null =>
    loads.get(resourceKey(account, machine)) ?? null

  async function gpuOf(account: AccountId, machine: string): Promise<MachineLoad['gpu']> {
    const { consent, at } = await bridge.call('gpu.state', { account, machine })
    if (!consent || at === null) return null
    const { gpus } = await bridge.call('gpu.history', { account, machine, seconds: gpuSpan })
    return gpus.length === 0 ? null : gpuHour(gpus, Date.now() / 1000)
  }

  /** A row without its line stays a row: the failure is shown where the machine is opened. */
  async function read(account: AccountId, machine: string): Promise<void> {
    const [cpu, gpu] = await Promise.allSettled([
      bridge.call('metrics.load', { account, machine }),
      gpuOf(account, machine),
    ])
    loads.set(resourceKey(account, machine), {
      cpu: cpu.status === 'fulfilled' ? cpu.value : null,
      gpu: gpu.status === 'fulfilled' ? gpu.value : null,
    })
  }

  /** What is in view, by a number of each look. */
  const inView = shallowReactive(new Map<number, { readonly account: AccountId; readonly machine: string }>())
  let lastLook = 0
  /** Reads a machine now and again while somebody looks; answers how to look away. */
  function look(account: AccountId, machine: string): () => void {
    const own = ++lastLook
    inView.set(own, { account, machine })
    void read(account, machine)
    return () => void inView.delete(own)
  }
  const looked = () => {
    const seen = [...inView.values()]
    const account = seen.at(-1)?.account
    if (account === undefined) return null
    const machines = seen.filter((one) => one.account === account).map(({ machine }) => machine)
    return { account, machines: [...new Set(machines)].toSorted() }
  }
  useLooking(looked, (subject, looking) => bridge.call('metrics.lookLoads', { ...subject, looking }))
  bridge.on('metrics.loadsChanged', ({ account, machines }) => {
    for (const machine of machines) void read(account, machine)
  })

  return { of, read, look }
})
