import { computed } from 'vue'
import { useRouter } from 'vue-router'
import type { Template } from '#shared/bridge/template'
import { useAccounts } from '../../stores/accounts'
import { useCatalog } from '../../stores/catalog'
import { useFleet } from '../../stores/fleet'
import { useSshConsents } from '../../stores/ssh-consents'
import { useTemplates } from '../../stores/templates'
import { type AccountFacts, type Readiness, readinessOf } from './readiness'

/** Creates machines of the selected account from templates, with one click if nothing needs an answer. */
export function useOneClick() {
  const accounts = useAccounts()
  const catalog = useCatalog()
  const consents = useSshConsents()
  const fleet = useFleet()
  const templates = useTemplates()
  const router = useRouter()

  const query = computed(() =>
    accounts.selected ? ({ account: accounts.selected.id, kind: 'machine', list: 'flavors' } as const) : null,
  )
  const facts = computed((): AccountFacts => {
    const listed = query.value && catalog.flavors(query.value)
    const hasFailed = query.value !== null && catalog.failure(query.value) !== null
    const answers = query.value && consents.of(query.value.account)?.everyMachine
    return {
      flavors: listed?.items ?? (hasFailed ? null : 'loading'),
      areMachinesRead: (fleet.status?.asOf ?? null) !== null,
      isCurrencyAssumed: listed?.currencyAssumed ?? true,
      isSshAllowed: answers?.jobs === true && answers.startup === true,
    }
  })
  const of = (template: Template): Readiness => readinessOf(template, facts.value)
  /** Reads the prices. Failures leave one click off. */
  async function load(): Promise<void> {
    if (query.value === null) return
    const { account } = query.value
    await Promise.all([catalog.load(query.value), consents.load(account).catch(() => undefined)])
  }
  const open = ({ id }: Template) => void router.push({ name: 'new-machine', query: { template: id } })
  /** Opens the form, which creates at once if the user saw a price. `readiness`: as it was shown. */
  function create(template: Template, readiness: Readiness): void {
    if (readiness.kind === 'ready') templates.wish(template, readiness.price)
    open(template)
  }
  return { query, of, load, open, create }
}
