import { computed, type ComputedRef, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { PendingVolume } from '#shared/bridge/volume'
import { earlierVolumes, isOutcomeOpen } from '#shared/earlier-creations'
import { failureOf } from '#shared/failure'
import { useVolumes } from '../../stores/volumes'

/** What the form of a new volume has to ask about: earlier creations of its own or of its name whose outcome is open. */
export function useEarlierVolumes(
  { account, request }: { readonly account: AccountId; readonly request: string },
  name: ComputedRef<string>,
  found: (volume: string) => void,
) {
  const volumes = useVolumes()
  /** Names that the main process recognised by their hash, by the id of their creation. */
  const recognised = shallowRef<ReadonlyMap<string, string>>(new Map())
  const earlier = computed<readonly PendingVolume[]>(() => {
    const known = volumes.pendingCreations.map((one) => ({
      ...one,
      name: recognised.value.get(one.id) ?? one.name,
    }))
    return earlierVolumes(known, { name: name.value, request })
  })
  // It turned out to be there, at once or with a later reading.
  watch(
    () => volumes.found,
    (change) => {
      if (change?.account !== account) return
      // What this form sent is its volume, whatever is typed by now.
      const mine =
        change.found.find((one) => one.request === request) ??
        change.found.find((one) => one.name === name.value)
      if (mine) found(mine.id)
    },
  )
  return {
    earlier,
    /** What the person is asked about is read where a failure is that question. */
    async readFor(error: unknown): Promise<void> {
      if (!isOutcomeOpen(failureOf(error, ''))) return
      const wish = { name: name.value, request }
      const open = earlierVolumes(await volumes.readPending(account, wish.name), wish)
      recognised.value = new Map(open.map((one) => [one.id, one.name]))
    },
  }
}
