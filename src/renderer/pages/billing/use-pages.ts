import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import type { UnreadableRecords } from '#shared/bridge/listing'
import { failureOf, type Failure } from '#shared/failure'
import { pageSizes } from '#shared/page-sizes'

const pageSize = pageSizes.entriesInView

/**
 * Places that a list has beyond the last entry that was read. A service may report any total: time and memory follow
 * from what it has listed.
 */
const placesAhead = 100_000

/** A place in a long list; `entry` is null until it was read. */
export interface PlaceRow<Entry> {
  readonly id: string
  readonly index: number
  readonly entry: Entry | null
}

/** What was read of the list from one place on. */
export interface Part<Entry> {
  readonly items: readonly Entry[]
  readonly total: number | null
  /** Records of this part that could not be read: they have a place at the service, and none here. */
  readonly unreadable?: UnreadableRecords | undefined
}

const placesOf = (part: Part<unknown> | undefined): number =>
  part ? part.items.length + (part.unreadable?.count ?? 0) : 0

/**
 * A list of the service of which only those parts are read that somebody looks at. Whenever `query` changes it begins
 * anew. `read` answers `limit` entries from `offset` on, fewer only at the end
 * and where some cannot be read.
 */
export function usePages<Query, Entry>(
  query: Ref<Query | null>,
  read: (query: Query, offset: number, limit: number) => Promise<Part<Entry>>,
  pause = 60,
) {
  const pages = shallowRef<ReadonlyMap<number, Part<Entry>>>(new Map())
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const reading = ref(false)
  /** Epoch seconds of the last page that came; null before the first. */
  const asOf = ref<number | null>(null)
  // An answer that comes after the query has changed is dropped.
  let generation = 0
  const onTheWay = new Set<number>()
  const looked = new Map<number, number>()

  const count = computed(() => {
    if (total.value !== null) return total.value
    const last = Math.max(-1, ...pages.value.keys())
    const items = placesOf(pages.value.get(last))
    // Without a total a full page may have one behind it.
    return last < 0 ? 0 : last * pageSize + items + (items === pageSize ? pageSize : 0)
  })
  const places = computed(() => {
    const ends = [...pages.value].map(([page, part]) =>
      part.items.length === 0 ? 0 : page * pageSize + placesOf(part),
    )
    return Math.min(count.value, Math.max(0, ...ends) + placesAhead)
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
  /** Of all parts that were read. */
  const unreadable = computed<UnreadableRecords | null>(() => {
    const all = [...pages.value.values()].flatMap((part) => part.unreadable ?? [])
    const records = all.reduce((sum, one) => sum + one.count, 0)
    return records === 0 ? null : { count: records, text: all.map(({ text }) => text).join('\n') }
  })

  async function load(page: number): Promise<void> {
    const asked = query.value
    if (asked === null || onTheWay.has(page)) return
    const mine = generation
    onTheWay.add(page)
    reading.value = true
    try {
      const part = await read(asked, page * pageSize, pageSize)
      if (mine !== generation) return
      pages.value = new Map(pages.value).set(page, part)
      total.value = part.total
      failure.value = null
      asOf.value = Math.floor(Date.now() / 1000)
    } catch (error) {
      if (mine === generation) failure.value = failureOf(error, 'billing')
    } finally {
      if (mine === generation) {
        onTheWay.delete(page)
        reading.value = onTheWay.size > 0
      }
    }
  }

  let waiting: ReturnType<typeof setTimeout> | undefined
  /** A place that was not read yet came into view. What flies past is not read. */
  function look(index: number): void {
    const page = Math.floor(index / pageSize)
    looked.set(page, (looked.get(page) ?? 0) + 1)
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      for (const [wanted, times] of looked) if (times > 0 && !pages.value.has(wanted)) void load(wanted)
    }, pause)
  }
  /** It went out of view again. */
  function lookAway(index: number): void {
    const page = Math.floor(index / pageSize)
    looked.set(page, (looked.get(page) ?? 0) - 1)
  }
  onScopeDispose(() => clearTimeout(waiting))

  function forget(): void {
    generation += 1
    onTheWay.clear()
    pages.value = new Map()
    total.value = null
    failure.value = null
    asOf.value = null
    reading.value = false
  }

  /** Reads again what is in view; what was known stays until it comes. */
  async function refresh(): Promise<void> {
    const seen = [...looked].filter(([, times]) => times > 0).map(([page]) => page)
    const known = [...pages.value.keys()]
    generation += 1
    onTheWay.clear()
    const wanted = new Set([0, ...seen, ...known.slice(-2)])
    await Promise.all([...wanted].map(load))
    pages.value = new Map([...pages.value].filter(([page]) => wanted.has(page)))
  }

  watch(
    query,
    () => {
      forget()
      void load(0)
    },
    { immediate: true },
  )

  return { rows, count, total, unreadable, failure, reading, asOf, look, lookAway, refresh }
}
