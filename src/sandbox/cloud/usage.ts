import type { CatalogFlavor } from './catalog'
import { volumeFeePerGb } from './catalog-data'
import type { UsageRecord, VolumeRecord } from './records'

/** Creates the usage of a machine or bare metal instance: billing begins with its creation and continues while stopped. */
export const machineUsage = (
  id: string,
  machine: { readonly id: string; readonly name: string; readonly createdTime: number },
  flavor: CatalogFlavor,
): UsageRecord => ({
  id,
  resource: { id: machine.id, name: machine.name, displayName: machine.name, type: 'vm' },
  perMinute: flavor.perMinute,
  createdTime: machine.createdTime,
  terminatedTime: null,
})

export const volumeUsage = (id: string, volume: VolumeRecord): UsageRecord => ({
  id,
  resource: { id: volume.id, name: volume.name, displayName: volume.displayName, type: 'volume' },
  perMinute: volume.size * volumeFeePerGb,
  createdTime: volume.createdTime,
  terminatedTime: null,
})
