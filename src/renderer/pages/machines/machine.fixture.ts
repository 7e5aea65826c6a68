import type { MachineView } from '#shared/bridge/fleet'

/** Creates a running machine for tests, whose id is its name. */
export const machineNamed = (name: string, changes: Partial<MachineView> = {}): MachineView => ({
  id: name,
  name,
  status: 'running',
  address: '203.0.113.21',
  username: 'ubuntu',
  hasPassword: true,
  keyName: 'lab-ed25519',
  startedAt: 1_000_000,
  flavor: { name: 'gpu-8-h100', cpu: 208, ram: 1800, disk: 2000, gpu: 'H100', gpuCount: 8 },
  image: 'Ubuntu 24.04',
  region: 'DALLAS',
  more: [],
  ...changes,
})
