import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { LoadView } from '#shared/bridge/metrics'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { gpuHour } from './last-hour'
import { useLooking } from './in-view'
import { useResourceMap } from './per-account'

/** CPU and GPU load of a machine in the last hour; null if unknown. */
export interface MachineLoad {
  readonly cpu: LoadView | null
  readonly gpu: ReturnType<typeof gpuHour> | null
}

const gpuSpanSeconds = 3_600

/** Loads of the machines in view. Main limits the requests (loads.ts). */
export const useLoads = defineStore('loads', () => {
  const loads = useResourceMap<MachineLoad>()
  const of = (account: AccountId, machine: string): MachineLoad | null =>
    loads.get(resourceKey(account, machine)) ?? null

  async function gpuOf(account: AccountId, machine: string): Promise<MachineLoad['gpu']> {
    const { consent, at } = await bridge.call('gpu.state', { account, machine })
    if (!consent || at === null) return null
    const { gpus } = await bridge.call('gpu.history', { account, machine, seconds: gpuSpanSeconds })
    return gpus.length === 0 ? null : gpuHour(gpus, Date.now() / 1000)
  }

  /** Reads the load. The machine's panel shows failures; here they are null. */
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

  const inView = shallowReactive(new Set<{ readonly account: AccountId; readonly machine: string }>())
  /** Reads a machine repeatedly while it is in view. Returns a function that ends this. */
  function look(account: AccountId, machine: string): () => void {
    const entry = { account, machine }
    inView.add(entry)
    void read(account, machine)
    return () => void inView.delete(entry)
  }
  /** Returns the machines in view, of the account that came into view last. */
  const subjectInView = () => {
    const entries = [...inView]
    const account = entries.at(-1)?.account
    if (account === undefined) return null
    const machines = entries.filter((entry) => entry.account === account).map(({ machine }) => machine)
    return { account, machines: [...new Set(machines)].toSorted() }
  }
  useLooking(subjectInView, (subject, looking) => bridge.call('metrics.lookLoads', { ...subject, looking }))
  bridge.on('metrics.loadsChanged', ({ account, machines }) => {
    for (const machine of machines) void read(account, machine)
  })

  return { of, read, look }
})
