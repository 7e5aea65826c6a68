import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { BillingQuery, BillingTotal } from '#shared/bridge/billing'
import { failureOf, type Failure } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import { useBillingJobs } from '../../stores/billing-jobs'

/** So many entries are added up without being asked: a few pages. */
const withoutAsking = 2_000

/** What a table comes to, as it is filtered. Where that takes a while it waits until the person wants it. */
export function useTotal(account: Ref<AccountId | null>, query: Ref<BillingQuery | null>) {
  const jobs = useBillingJobs()
  const total = shallowRef<BillingTotal | null>(null)
  /** It was not computed automatically, because there is too much. */
  const waits = shallowRef(false)
  const failure = shallowRef<Failure | null>(null)
  const key = computed(() => `total ${account.value ?? ''} ${query.value?.kind ?? ''}`)
  const job = computed(() => jobs.running.get(key.value) ?? null)

  let generation = 0
  async function reckon(atMost: number | null): Promise<void> {
    const asked = { account: account.value, query: query.value }
    if (asked.account === null || asked.query === null) return
    const mine = ++generation
    const input = { account: asked.account, query: asked.query, atMost }
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

  // The order of the rows makes no difference to what they come to.
  const asked = computed(() => JSON.stringify([account.value, query.value?.kind, query.value?.filter]))
  watch(
    asked,
    () => {
      total.value = null
      void reckon(withoutAsking)
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
    all: () => reckon(null),
    refresh: () => reckon(withoutAsking),
    stop: () => jobs.cancel(key.value),
  }
}
