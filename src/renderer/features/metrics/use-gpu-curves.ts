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

/** The GPUs of machines over a period as far as they are read, anew where a reading is pushed a minute after the last. */
export function useGpuCurves(query: Query) {
  const gpus = useGpus()
  const curves = shallowRef<ReadonlyMap<string, GpuCurves>>(new Map())
  let latest = 0

  async function read(): Promise<void> {
    const mine = ++latest
    const account = query.account()
    if (account === null) return
    const found = new Map<string, GpuCurves>()
    await Promise.all(
      query.machines().map(async ({ id }) => {
        try {
          await gpus.load(account, id)
          if (!gpus.of(account, id)?.consent) return
          const { period, gpus: series } = await gpus.history(account, id, gpuSeconds(query.period()))
          found.set(id, { step: period, gpus: series })
        } catch (error) {
          // The machine is named as one that is not read; it is tried again with the next reading.
          console.error('gpu.history', error)
        }
      }),
    )
    if (mine === latest) curves.value = found
  }

  const consents = computed(() => {
    const account = query.account()
    return query.machines().map(({ id }) => account !== null && gpus.of(account, id)?.consent === true)
  })
  /** The minute of each machine's last reading, as main pushes it. */
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
