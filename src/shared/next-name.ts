/** Returns the next free name of a series: train-01 → train-02, train → train-2. Pure. */
export function nextName(name: string, usedNames: ReadonlySet<string>): string {
  const [, stem = name, digits = ''] = /^(.*?)(\d{1,9})?$/s.exec(name) ?? []
  const base = digits === '' ? `${stem}-` : stem
  for (let number = Number(digits || 1) + 1; ; number += 1) {
    const next = base + String(number).padStart(digits.length, '0')
    if (!usedNames.has(next)) return next
  }
}

/** Returns a name if it is free or empty, else the next free name of its series. Pure. */
export const freeName = (name: string, usedNames: ReadonlySet<string>): string =>
  name !== '' && usedNames.has(name) ? nextName(name, usedNames) : name

/**
 * Returns a name, trimmed, with the first number from 2 that makes it unlike `usedNames`: Training → Training 2. At most
 * `maxLength` characters. Pure.
 */
export function numberedName(name: string, usedNames: ReadonlySet<string>, maxLength: number): string {
  const base = name.trim().slice(0, maxLength)
  if (!usedNames.has(base)) return base
  for (let number = 2; ; number += 1) {
    const end = ` ${String(number)}`
    const next = `${base.slice(0, maxLength - end.length).trimEnd()}${end}`
    if (!usedNames.has(next)) return next
  }
}
