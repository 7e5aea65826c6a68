import type { CostResource, CostShare } from '#shared/bridge/cost'

export type ShareBy = 'total' | 'resource' | 'type' | 'gpu' | 'region'

const named = (key: string, name = key): CostShare => ({ is: 'named', key, name })
const orUnknown = (value: string | null): CostShare => (value === null ? { is: 'unknown' } : named(value))

/** What of a stack a resource belongs to. */
export function shareOf(resource: CostResource, by: ShareBy): CostShare {
  switch (by) {
    case 'total':
      return { is: 'total' }
    case 'resource':
      return named(resource.id, resource.name ?? resource.id)
    case 'type':
      return orUnknown(resource.type)
    case 'gpu':
      return resource.gpu === 'none' ? { is: 'none' } : orUnknown(resource.gpu)
    case 'region':
      return orUnknown(resource.region)
  }
}

/** Tells shares apart: two with the same key are one. */
export const keyOf = (share: CostShare): string => (share.is === 'named' ? `named ${share.key}` : share.is)
