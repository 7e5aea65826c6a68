/** Seeded pseudo-random numbers (mulberry32). Not for secrets. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer in [min, max]. */
  integer(min: number, max: number): number
  /** Returns a random item. `items` must not be empty. */
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
  /** Returns 24 hexadecimal digits, like the service's identifiers. */
  id(): string
}

/** Maps 32-bit integers one to one to random-looking ones (the finalizer of MurmurHash3). */
export const mix32 = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Returns 32 bits that depend on every character (FNV-1a with a final mix). */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return mix32(hash)
}

const hex32 = (value: number): string => value.toString(16).padStart(8, '0')

export function createRandom(seed: string): Random {
  let state = hash32(seed)
  const bits = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return (value ^ (value >>> 14)) >>> 0
  }
  const next = (): number => bits() / 0x1_0000_0000
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    chance: (probability) => next() < probability,
    id: () => hex32(bits()) + hex32(bits()) + hex32(bits()),
  }
}

/** Returns an identifier derived from `text`. */
export const fixedId = (text: string): string => createRandom(text).id()
