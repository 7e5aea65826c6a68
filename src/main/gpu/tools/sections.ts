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
