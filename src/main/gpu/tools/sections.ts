/** Returns a command that prints fields of every GPU as a section. `fields`: of `nvidia-smi --query-gpu`. */
export const nvidiaSection = (name: string, fields: string): string =>
  `echo "== ${name}"; env LC_ALL=C nvidia-smi --query-gpu=index,${fields} --format=csv 2>&1`

/** Splits the output of a script at its lines `== name`. `first`: the text before them. */
export function sections(text: string): {
  readonly first: string
  readonly others: ReadonlyMap<string, string>
} {
  const [first = '', ...rest] = text.split(/^== /m)
  return {
    first,
    others: new Map(
      rest.map((section) => {
        const end = section.indexOf('\n')
        return end < 0 ? [section, ''] : [section.slice(0, end).trim(), section.slice(end + 1)]
      }),
    ),
  }
}

/** Returns the number in the first group of a pattern; null without a match. */
export function numberIn(text: string | undefined, pattern: RegExp): number | null {
  const [, digits] = pattern.exec(text ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}
