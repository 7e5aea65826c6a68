import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { BillingQuery, BillingTotal } from '#shared/bridge/billing'
import { failureOf, type Failure } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import { useBillingJobs } from '../../stores/billing-jobs'

/** Upper bound on entries that are summed automatically: a few pages. */
const maxAutomaticEntries = 2_000

/** Sums the filtered entries of a table. A long calculation starts only on the user's request. */
export function useTotal(account: Ref<AccountId | null>, query: Ref<BillingQuery | null>) {
  const jobs = useBillingJobs()
  const total = shallowRef<BillingTotal | null>(null)
  const waits = shallowRef(false)
  const failure = shallowRef<Failure | null>(null)
  const key = computed(() => `total ${account.value ?? ''} ${query.value?.kind ?? ''}`)
  const job = computed(() => jobs.running.get(key.value) ?? null)

  let generation = 0
  async function sum(atMost: number | null): Promise<void> {
    if (account.value === null || query.value === null) return
    const mine = ++generation
    const input = { account: account.value, query: query.value, atMost }
    failure.value = null
    waits.value = false
    await jobs.cancel(key.value)
    try {
      const answer = await jobs.run(key.value, (id) => bridge.call('billing.total', { ...input, job: id }))
      if (mine !== generation) return
      total.value = answer
      waits.value = answer === null
    } catch (error) {
      const reason = failureOf(error, 'billing.total')
      if (mine !== generation) return
      waits.value = true
      failure.value = reason.kind === 'cancelled' ? null : reason
    }
  }

  // Excludes the sorting, which does not affect the sum.
  const filterKey = computed(() => JSON.stringify([account.value, query.value?.kind, query.value?.filter]))
  watch(
    filterKey,
    () => {
      total.value = null
      void sum(maxAutomaticEntries)
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    generation += 1
    void jobs.cancel(key.value)
  })

  return {
    total,
    waits,
    failure,
    job,
    all: () => sum(null),
    refresh: () => sum(maxAutomaticEntries),
    stop: () => jobs.cancel(key.value),
  }
}
