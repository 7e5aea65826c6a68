/** A statement as far as costs need it. Times are epoch seconds, `told` is the currency that it carried. */
export interface Charge {
  readonly resource: string
  readonly type: string | null
  readonly from: number
  readonly until: number
  readonly millionths: number
  readonly told: string | null
}

/** The statements of one account in the order of their `from`, in columns: 100,000 of them are added up in milliseconds. */
export interface Charges {
  readonly count: number
  readonly from: Float64Array
  readonly until: Float64Array
  readonly millionths: Float64Array
  /** Index into `resources`. */
  readonly resource: Int32Array
  /** Index into `currencies`. */
  readonly told: Int32Array
  readonly resources: readonly { readonly id: string; readonly type: string | null }[]
  readonly currencies: readonly (string | null)[]
  /** Seconds that the longest one covers. */
  readonly longest: number
}

interface Columns {
  readonly from: Float64Array
  readonly until: Float64Array
  readonly millionths: Float64Array
  readonly resource: Int32Array
  readonly told: Int32Array
}

const columns = (size: number, before?: Columns): Columns => {
  const next: Columns = {
    from: new Float64Array(size),
    until: new Float64Array(size),
    millionths: new Float64Array(size),
    resource: new Int32Array(size),
    told: new Int32Array(size),
  }
  if (before) {
    next.from.set(before.from)
    next.until.set(before.until)
    next.millionths.set(before.millionths)
    next.resource.set(before.resource)
    next.told.set(before.told)
  }
  return next
}

/** Gathers charges that come in the order of their `from`. */
export function gatherCharges() {
  let kept = columns(1024)
  let count = 0
  let longest = 0
  const resources: { readonly id: string; readonly type: string | null }[] = []
  const currencies: (string | null)[] = []
  const resourceAt = new Map<string, number>()
  const currencyAt = new Map<string | null, number>()

  const indexOf = <Key>(at: Map<Key, number>, key: Key, push: () => number): number => {
    const known = at.get(key)
    if (known !== undefined) return known
    const index = push() - 1
    at.set(key, index)
    return index
  }

  return {
    add({ resource, type, from, until, millionths, told }: Charge): void {
      if (count === kept.from.length) kept = columns(count * 2, kept)
      kept.from[count] = from
      kept.until[count] = until
      kept.millionths[count] = millionths
      kept.resource[count] = indexOf(resourceAt, resource, () => resources.push({ id: resource, type }))
      kept.told[count] = indexOf(currencyAt, told, () => currencies.push(told))
      longest = Math.max(longest, until - from)
      count += 1
    },
    done: (): Charges => ({ ...kept, count, resources, currencies, longest }),
  }
}

export const noCharges: Charges = gatherCharges().done()

export function chargesOf(list: readonly Charge[]): Charges {
  const gather = gatherCharges()
  for (const charge of [...list].sort((left, right) => left.from - right.from)) gather.add(charge)
  return gather.done()
}
