import type { MachineView } from '../../src/shared/bridge/fleet'

export const account = 'benchbenchbe'

const machine = (index: number): MachineView => ({
  id: `machine-${String(index).padStart(6, '0')}`,
  name: `train-${String(index)}`,
  status: 'running',
  address: `10.${String(index >> 16)}.${String((index >> 8) & 255)}.${String(index & 255)}`,
  username: 'ubuntu',
  hasPassword: true,
  keyName: 'laptop',
  startedAt: 1_780_000_000 + index,
  flavor: { name: 'H100-80G', cpu: 16, ram: 128, disk: 1_000, gpu: 'H100', gpuCount: 1 },
  image: 'Ubuntu 24.04',
  region: 'Oslo',
  more: [{ path: 'host', value: `rack-${String(index % 40)}` }],
})

/** Machines with consecutive ids. */
export const machinesOf = (count: number): ReadonlyMap<string, MachineView> =>
  new Map(Array.from({ length: count }, (_, index) => machine(index)).map((one) => [one.id, one]))

/** Changes the state of one machine in a hundred; other machines each time. */
export function changedMachines(
  machines: ReadonlyMap<string, MachineView>,
  round: number,
): readonly MachineView[] {
  const status = round % 2 === 0 ? 'stopped' : 'running'
  return [...machines.values()]
    .filter((_, index) => index % 100 === round % 100)
    .map((one) => ({ ...one, status, startedAt: 1_790_000_000 + round }))
}
