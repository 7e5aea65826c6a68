interface Kept<Value> {
  readonly asked: number
  readonly answer: Promise<Value>
  settled: boolean
}

/**
 * Answers that are kept for `lifetime` seconds, by key. Whoever asks while a question is under way shares it; a
 * failure is passed on and not kept. `fresh` asks again unless a question is under way.
 */
export function ttlCache<Value>(lifetime: number, now: () => number) {
  const answers = new Map<string, Kept<Value>>()
  return {
    get(key: string, fresh: boolean | undefined, ask: () => Promise<Value>): Promise<Value> {
      const known = answers.get(key)
      if (known && (!known.settled || (fresh !== true && now() - known.asked < lifetime))) return known.answer
      const kept: Kept<Value> = { asked: now(), answer: ask(), settled: false }
      answers.set(key, kept)
      kept.answer.then(
        () => (kept.settled = true),
        () => {
          if (answers.get(key) === kept) answers.delete(key)
        },
      )
      return kept.answer
    },
    /** Drops the answers whose key matches. */
    forget(matches: (key: string) => boolean): void {
      for (const key of answers.keys()) if (matches(key)) answers.delete(key)
    },
  }
}
