interface Numbers extends ArrayLike<number> {
  set(values: ArrayLike<number>, at: number): void
}

export function joined<List extends Numbers>(
  kind: new (length: number) => List,
  parts: readonly ArrayLike<number>[],
): List {
  const all = new kind(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
