import { computed, type ComputedRef, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { PendingVolume } from '#shared/bridge/volume'
import { earlierVolumes, isOutcomeOpen } from '#shared/earlier-creations'
import { failureOf } from '#shared/failure'
import { useVolumes } from '../../stores/volumes'

/** Finds earlier creations with an unknown outcome that may be the form's volume: its own request, or its name. */
export function useEarlierVolumes(
  { account, request }: { readonly account: AccountId; readonly request: string },
  name: ComputedRef<string>,
  found: (volume: string) => void,
) {
  const volumes = useVolumes()
  /** Names that the main process recognised by their hash, by creation id. */
  const recognised = shallowRef<ReadonlyMap<string, string>>(new Map())
  const earlier = computed<readonly PendingVolume[]>(() => {
    const known = volumes.pendingCreations.map((creation) => ({
      ...creation,
      name: recognised.value.get(creation.id) ?? creation.name,
    }))
    return earlierVolumes(known, { name: name.value, request })
  })
  // Reports the volume when a reading of the list contains it.
  watch(
    () => volumes.found,
    (change) => {
      if (change?.account !== account) return
      // The form's own request comes first: the name may have changed since.
      const match =
        change.found.find((volume) => volume.request === request) ??
        change.found.find((volume) => volume.name === name.value)
      if (match) found(match.id)
    },
  )
  return {
    earlier,
    /** Reads the pending creations if the failure is about an unknown outcome. */
    async readFor(error: unknown): Promise<void> {
      if (!isOutcomeOpen(failureOf(error, ''))) return
      const wish = { name: name.value, request }
      const open = earlierVolumes(await volumes.readPending(account, wish.name), wish)
      recognised.value = new Map(open.map((creation) => [creation.id, creation.name]))
    },
  }
}
