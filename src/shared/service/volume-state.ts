import { type MachineState, stateIn } from './machine-state'

// The specification shows creating and detaching; the others were seen elsewhere (service-extensions.md).
const known: Readonly<Record<string, MachineState>> = {
  'in-use': 'running',
  attached: 'running',
  available: 'stopped',
  creating: 'moving',
  attaching: 'moving',
  detaching: 'moving',
  downloading: 'moving',
  deleting: 'moving',
  error: 'failed',
  failed: 'failed',
}

/** How a volume's status is shown: in use as running, available as at rest. Statuses never seen before are `other`. */
export const volumeState = (status: string | null | undefined): MachineState => stateIn(known, status)
