import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { type IdleGpu, type IdleList, type IdleMachine, IdleSettings } from '#shared/bridge/idle'
import { resourceKey } from '#shared/resource-key'
import { machineState } from '#shared/service/machine-state'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'

/** Machines that cost money and do nothing, costliest first. */
export const useIdle = defineStore('idle', () => {
  const { values, follow } = usePerAccount<IdleList>('idle.list', (account) =>
    bridge.call('idle.list', { account }),
  )
  const settings = ref<IdleSettings>(IdleSettings.parse({}))

  const of = (account: AccountId, machine: string): IdleMachine | null =>
    values.get(account)?.machines.find((idle) => idle.machine === machine) ?? null
  /** Returns the idle view of a machine that runs. A machine that is stopping is not called idle any more. */
  const ofRunning = (account: AccountId, { id, status }: MachineView): IdleMachine | null =>
    machineState(status) === 'running' ? of(account, id) : null
  const gpusByMachine = computed(() => {
    const machines = new Map<string, Map<number, IdleGpu>>()
    for (const [account, list] of values)
      for (const gpu of list.gpus) {
        const key = resourceKey(account, gpu.machine)
        machines.set(key, (machines.get(key) ?? new Map<number, IdleGpu>()).set(gpu.index, gpu))
      }
    return machines
  })
  const noGpus: ReadonlyMap<number, IdleGpu> = new Map()
  /** Returns the unused GPUs of a machine that runs, by their index. */
  const gpusOfRunning = (account: AccountId, { id, status }: MachineView): ReadonlyMap<number, IdleGpu> =>
    (machineState(status) === 'running' && gpusByMachine.value.get(resourceKey(account, id))) || noGpus
  /** Whether nothing is known about the GPUs of a machine that runs. */
  const isUnmeasured = (account: AccountId, { id, status }: MachineView): boolean =>
    machineState(status) === 'running' && values.get(account)?.unmeasured.includes(id) === true

  function start(): void {
    bridge.on('idle.changed', ({ account, ...list }) => values.set(account, list))
    follow()
  }
  async function loadSettings(): Promise<void> {
    settings.value = await bridge.call('idle.settings', {})
  }
  async function configure(next: IdleSettings): Promise<void> {
    settings.value = await bridge.call('idle.configure', next)
  }

  return { ofRunning, gpusOfRunning, isUnmeasured, start, settings, loadSettings, configure }
})
