import { computed, ref } from 'vue'
import { useRouter } from 'vue-router'
import type { Template } from '#shared/bridge/template'
import { useAccounts } from '../../stores/accounts'
import { useCatalog } from '../../stores/catalog'
import { useFleet } from '../../stores/fleet'
import { useSshConsents } from '../../stores/ssh-consents'
import { useTemplates } from '../../stores/templates'
import { type AccountFacts, type Readiness, readinessOf } from './readiness'

/** Id of a form that creates at once: another account's form does not take its wish. */
export const wishedForm = (account: string, at: string): string => `${account} ${at}`

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
  /** Account whose prices and answers about SSH were read, or can't be read. */
  const loaded = ref<string | null>(null)
  const facts = computed((): AccountFacts => {
    const listed = query.value && catalog.flavors(query.value)
    const hasFailed = query.value !== null && catalog.failure(query.value) !== null
    const isLoaded = query.value !== null && query.value.account === loaded.value
    const answers = query.value && consents.of(query.value.account)?.everyMachine
    return {
      flavors: isLoaded ? (listed?.items ?? (hasFailed ? null : 'loading')) : 'loading',
      areMachinesRead: (fleet.status?.asOf ?? null) !== null,
      isCurrencyAssumed: listed?.currencyAssumed ?? true,
      isSshAllowed: answers?.jobs === true && answers.startup === true,
    }
  })
  /** Whether the answer is still being read: a click would have another effect then. */
  const isReading = (readiness: Readiness): boolean =>
    readiness.kind === 'asks' &&
    (readiness.why === 'loading' || (readiness.why === 'machines' && !fleet.status?.failure))
  const of = (template: Template): Readiness => readinessOf(template, facts.value)
  /** Reads the prices. Failures leave one click off. */
  async function load(): Promise<void> {
    if (query.value === null) return
    const { account } = query.value
    await Promise.all([catalog.load(query.value), consents.load(account).catch(() => undefined)])
    // The user may have selected another account since.
    if (query.value?.account === account) loaded.value = account
  }
  const open = ({ id }: Template) => void router.push({ name: 'new-machine', query: { template: id } })
  /** Opens a form of its own, which creates at once if the user saw a price. `readiness`: as it was shown. */
  function create(template: Template, readiness: Readiness): void {
    if (readiness.kind !== 'ready' || query.value === null) return open(template)
    const at = crypto.randomUUID()
    templates.wish(wishedForm(query.value.account, at), readiness.price)
    void router.push({ name: 'new-machine', query: { template: template.id, at } })
  }
  return { query, of, isReading, load, open, create }
}
