import { computed, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MetricPeriod } from '#shared/bridge/metrics'
import { useGpus } from '../../stores/gpus'
import { type GpuCurves, type GpuMachine, gpuSeconds } from './gpu-lines'

interface Query {
  account(): AccountId | null
  machines(): readonly { readonly id: string; readonly name: string }[]
  period(): MetricPeriod
}

/** Reads the GPU readings of machines over a period, again when a reading is pushed in a later minute. */
export function useGpuCurves(query: Query) {
  const gpus = useGpus()
  const curves = shallowRef<ReadonlyMap<string, GpuCurves>>(new Map())
  let latest = 0

  async function read(): Promise<void> {
    const generation = ++latest
    const account = query.account()
    if (account === null) return
    const loaded = new Map<string, GpuCurves>()
    await Promise.all(
      query.machines().map(async ({ id }) => {
        try {
          await gpus.load(account, id)
          if (!gpus.of(account, id)?.consent) return
          const { period, gpus: series } = await gpus.history(account, id, gpuSeconds(query.period()))
          loaded.set(id, { step: period, gpus: series })
        } catch (error) {
          // The page names the machine as unread; the next reading tries again.
          console.error('gpu.history', error)
        }
      }),
    )
    if (generation === latest) curves.value = loaded
  }

  const consents = computed(() => {
    const account = query.account()
    return query.machines().map(({ id }) => account !== null && gpus.of(account, id)?.consent === true)
  })
  const minutes = computed(() => {
    const account = query.account()
    const readAt = (id: string): number => (account === null ? 0 : (gpus.of(account, id)?.at ?? 0))
    return query.machines().map(({ id }) => Math.floor(readAt(id) / 60))
  })
  watch(
    () =>
      JSON.stringify([
        query.account(),
        query.machines().map(({ id }) => id),
        query.period(),
        consents.value,
        minutes.value,
      ]),
    read,
    { immediate: true },
  )

  const machines = computed((): readonly GpuMachine[] =>
    query.machines().flatMap(({ id, name }, place) => {
      const own = curves.value.get(id)
      return own && own.gpus.length > 0 ? [{ name, place, curves: own }] : []
    }),
  )
  return { curves, machines }
}
