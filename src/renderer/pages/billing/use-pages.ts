import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { UnreadableRecords } from '#shared/bridge/listing'
import { failureOf, type Failure } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'

const pageSize = pageSizes.entriesInView

/** Upper bound on unread rows after the last read entry, because a service may report any total. */
const maxUnreadRows = 100_000

/** A row of a long list; `entry` is null until it is read. */
export interface PlaceRow<Entry> {
  readonly id: string
  readonly index: number
  readonly entry: Entry | null
}

export interface Part<Entry> {
  readonly items: readonly Entry[]
  readonly total: number | null
  /** Records that could not be parsed. The service counts them; this list has no rows for them. */
  readonly unreadable?: UnreadableRecords | undefined
}

const placesOf = (part: Part<unknown> | undefined): number =>
  part ? part.items.length + (part.unreadable?.count ?? 0) : 0

/**
 * Loads the pages of a list that come into view, and starts over when `query` changes. `read` returns `limit` entries
 * from `offset`; fewer at the end, or if some cannot be parsed. `pauseMs`: a row must stay in view this long.
 */
export function usePages<Query, Entry>(
  query: Ref<Query | null>,
  read: (query: Query, offset: number, limit: number) => Promise<Part<Entry>>,
  pauseMs = 60,
) {
  const pages = shallowRef<ReadonlyMap<number, Part<Entry>>>(new Map())
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const reading = ref(false)
  /** Epoch seconds of the last loaded page, or null. */
  const asOf = ref<number | null>(null)
  // Identifies the current query: answers to earlier ones are dropped.
  let generation = 0
  const loading = new Set<number>()
  const inView = new Map<number, number>()

  const count = computed(() => {
    if (total.value !== null) return total.value
    const last = Math.max(-1, ...pages.value.keys())
    const items = placesOf(pages.value.get(last))
    // Without a total, another page may follow a full one.
    return last < 0 ? 0 : last * pageSize + items + (items === pageSize ? pageSize : 0)
  })
  const places = computed(() => {
    const ends = [...pages.value].map(([page, part]) =>
      part.items.length === 0 ? 0 : page * pageSize + placesOf(part),
    )
    return Math.min(count.value, Math.max(0, ...ends) + maxUnreadRows)
  })
  const rows = computed<readonly PlaceRow<Entry>[]>(() =>
    Array.from({ length: Math.ceil(places.value / pageSize) }, (_, page) => {
      const part = pages.value.get(page)
      const onPage = part?.items.length ?? Math.min(pageSize, places.value - page * pageSize)
      return Array.from({ length: onPage }, (_, place) => {
        const index = page * pageSize + place
        return { id: `row-${String(index)}`, index, entry: part?.items[place] ?? null }
      })
    }).flat(),
  )
  const unreadable = computed<UnreadableRecords | null>(() => {
    const all = [...pages.value.values()].flatMap((part) => part.unreadable ?? [])
    const records = all.reduce((sum, part) => sum + part.count, 0)
    return records === 0 ? null : { count: records, text: all.map(({ text }) => text).join('\n') }
  })

  async function load(page: number): Promise<void> {
    const { value: current } = query
    if (current === null || loading.has(page)) return
    const mine = generation
    loading.add(page)
    reading.value = true
    try {
      const part = await read(current, page * pageSize, pageSize)
      if (mine !== generation) return
      pages.value = new Map(pages.value).set(page, part)
      total.value = part.total
      failure.value = null
      asOf.value = Math.floor(Date.now() / 1000)
    } catch (error) {
      if (mine === generation) failure.value = failureOf(error, 'billing')
    } finally {
      if (mine === generation) {
        loading.delete(page)
        reading.value = loading.size > 0
      }
    }
  }

  let waiting: ReturnType<typeof setTimeout> | undefined
  function countInView(index: number, change: 1 | -1): void {
    const page = Math.floor(index / pageSize)
    inView.set(page, (inView.get(page) ?? 0) + change)
  }
  /** Counts a row that came into view, and loads its page unless the user scrolls past it. */
  function look(index: number): void {
    countInView(index, 1)
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      for (const [page, rowCount] of inView) if (rowCount > 0 && !pages.value.has(page)) void load(page)
    }, pauseMs)
  }
  const lookAway = (index: number): void => countInView(index, -1)
  onScopeDispose(() => clearTimeout(waiting))

  function reset(): void {
    generation += 1
    loading.clear()
    pages.value = new Map()
    total.value = null
    failure.value = null
    asOf.value = null
    reading.value = false
  }

  /** Reloads the pages in view; they keep their rows until the answers arrive. */
  async function refresh(): Promise<void> {
    const visible = [...inView].filter(([, rowCount]) => rowCount > 0).map(([page]) => page)
    const loaded = [...pages.value.keys()]
    generation += 1
    loading.clear()
    const wanted = new Set([0, ...visible, ...loaded.slice(-2)])
    await Promise.all([...wanted].map(load))
    pages.value = new Map([...pages.value].filter(([page]) => wanted.has(page)))
  }

  watch(
    query,
    () => {
      reset()
      void load(0)
    },
    { immediate: true },
  )

  return { rows, count, total, unreadable, failure, reading, asOf, look, lookAway, refresh }
}
