import { computed, type Component, type Ref } from 'vue'
import type { Failure } from '#shared/failure'
import { useAccounts } from '../../stores/accounts'

/** What a page of a list shows: the list, or why there is none. */
export type ListView = 'list' | 'no-match' | 'signed-out' | 'failed' | 'loading' | 'empty'

/** What the page says where there is no list. */
export interface ListText {
  readonly loading: string
  readonly signedOut: string
  readonly empty: { readonly icon: Component; readonly title: string; readonly text: string }
  readonly noMatch: { readonly title: string; readonly text: string; readonly action: string }
}

/** What is known of a list. `asOf` in epoch seconds: null where it was never read. */
export interface ListDeps {
  /** How many rows the filter leaves. */
  readonly shown: Readonly<Ref<number>>
  /** How many there are without it. */
  readonly known: Readonly<Ref<number>>
  readonly asOf: Readonly<Ref<number | null>>
  /** Why it could not be read last. */
  readonly failure: Readonly<Ref<Failure | null>>
}

/** What to show of the selected account's list, and why it is not up to date. */
export function useListView({ shown, known, asOf, failure: readingFailure }: ListDeps) {
  const accounts = useAccounts()

  // A signed-in account's own failure says that it will not stay signed in, which leaves the list as good as ever.
  const failure = computed(() => {
    const account = accounts.selected
    return readingFailure.value ?? (account?.state === 'signed-in' ? null : (account?.failure ?? null))
  })
  const view = computed((): ListView => {
    if (shown.value > 0) return 'list'
    if (known.value > 0) return 'no-match'
    if (accounts.selected?.state === 'signed-out') return 'signed-out'
    if (readingFailure.value) return 'failed'
    return asOf.value === null ? 'loading' : 'empty'
  })
  return { view, failure, asOf }
}
