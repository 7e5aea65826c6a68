import type { VolumeView } from '#shared/bridge/volume'

export const volumeNamed = (name: string, changes: Partial<VolumeView> = {}): VolumeView => ({
  id: name,
  displayName: name,
  name: `vol-${name}`,
  size: 100,
  status: 'available',
  region: { id: 'o', name: 'Oslo' },
  bootable: false,
  attachment: { kind: 'detached' },
  description: null,
  currency: 'USD',
  createdAt: 1_000_000,
  settling: false,
  more: [],
  ...changes,
})
