import type { Clock } from '../../clock'
import type { Limits } from '../limits'
import { homeOf, hostNameOf, type SshMachine } from '../machine'
import type { Disk } from './disk'
import { initialEntries } from './initial-entries'
import { createMemoryDisk } from './memory-disk'
import { createQuota } from './quota'

/** Disks of all machines, created at first access within one memory limit. */
export interface Disks {
  /** Returns a disk. Throws DiskError (ENOSPC) at the limit of all disks. */
  of(machine: SshMachine): Disk
  keepOnly(exists: (machine: SshMachine) => boolean): void
}

/** Creates the disks. `now`: epoch seconds. */
export function createDisks(limits: Pick<Limits, 'disk' | 'disks'>, now: Clock['now']): Disks {
  const all = createQuota(limits.disks)
  const disks = new Map<string, { readonly machine: SshMachine; readonly disk: Disk }>()
  return {
    of: (machine) => {
      const existing = disks.get(machine.id)
      if (existing) return existing.disk
      const disk = createMemoryDisk(
        createQuota(limits.disk, all),
        now,
        initialEntries(hostNameOf(machine), homeOf(machine), machine.workload?.()),
      )
      disks.set(machine.id, { machine, disk })
      return disk
    },
    keepOnly: (exists) => {
      for (const [id, { machine, disk }] of disks) {
        if (exists(machine)) continue
        disks.delete(id)
        disk.discard()
      }
    },
  }
}
