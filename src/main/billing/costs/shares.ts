import type { CostResource, CostShare } from '#shared/bridge/cost'

export type ShareBy = 'total' | 'resource' | 'type' | 'gpu' | 'region'

const named = (key: string, name = key): CostShare => ({ kind: 'named', key, name })
const orUnknown = (value: string | null): CostShare => (value === null ? { kind: 'unknown' } : named(value))

/** Returns the share of a stack that contains a resource. */
export function shareOf(resource: CostResource, by: ShareBy): CostShare {
  switch (by) {
    case 'total':
      return { kind: 'total' }
    case 'resource':
      return named(resource.id, resource.name ?? resource.id)
    case 'type':
      return orUnknown(resource.type)
    case 'gpu':
      return resource.gpu === 'none' ? { kind: 'none' } : orUnknown(resource.gpu)
    case 'region':
      return orUnknown(resource.region)
  }
}

/** Shares with the same key are the same share. */
export const keyOf = (share: CostShare): string =>
  share.kind === 'named' ? `named ${share.key}` : share.kind
