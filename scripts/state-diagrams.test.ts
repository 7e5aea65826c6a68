import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AccountView } from '../src/shared/bridge/account'
import { CreationState } from '../src/shared/bridge/creation'

const page = readFileSync(join(import.meta.dirname, '../docs/state-diagrams.md'), 'utf8')

/** Returns the states of the diagram below a heading, by the names in the diagram. */
function statesBelow(heading: string): readonly string[] {
  const diagram = page.split(`## ${heading}\n`)[1]?.match(/```mermaid\n([\s\S]*?)```/)?.[1] ?? ''
  const shown = new Map([...diagram.matchAll(/state "(.+)" as (\w+)/g)].map(([, name, id]) => [id, name]))
  const ids = [...diagram.matchAll(/^ *(\S+) --> ([^\s:]+)/gm)].flatMap(([, from, to]) => [from, to])
  const names = ids.flatMap((id) => (id === undefined || id === '[*]' ? [] : [shown.get(id) ?? id]))
  return [...new Set(names)].sort()
}

const root = join(import.meta.dirname, '..')
/** The code of main and of shared, without comments. */
const code = ['src/main', 'src/shared']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
  .join('\n')
  .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
const words = new Set(code.match(/[\w-]+/g))

/**
 * Returns the names of code in a page, in backticks, in brackets without other words, or before `()`; and the
 * files.
 */
function namesIn(text: string): { readonly names: readonly string[]; readonly files: readonly string[] } {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
  const isFile = (name: string): boolean => name.endsWith('.ts')
  const called = [...text.matchAll(/(\w+)\(\)|\((\w+)\)/g)].map(([, name, alone]) => name ?? alone ?? '')
  const spoken = quoted.filter((name) => !isFile(name)).flatMap((name) => name.match(/[\w-]+/g) ?? [])
  return { names: [...spoken, ...called], files: quoted.filter(isFile) }
}
const unknownNames = (text: string): readonly string[] =>
  namesIn(text).names.filter((name) => !words.has(name))

describe('the state diagrams', () => {
  it('contain no name that the code lacks', () => {
    const text = page.replaceAll('```', '')
    expect(namesIn(text).names.length).toBeGreaterThan(25)
    expect(unknownNames(text)).toEqual([])
  })

  it('name existing files', () => {
    const { files } = namesIn(page.replaceAll('```', ''))
    expect(files.length).toBeGreaterThan(4)
    const all = ['src', 'scripts'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }),
    )
    const isThere = (file: string): boolean =>
      existsSync(join(root, file)) || (!file.includes('/') && all.some((one) => one.endsWith(`/${file}`)))
    expect(files.filter((file) => !isThere(file))).toEqual([])
  })

  it.each([
    ['another creation (`admission`)', 'admission'],
    ['or was never reached (nothingCreated)', 'nothingCreated'],
    ['[*] --> sending: dispatchIt()', 'dispatchIt'],
  ])('are rejected if they contain: %s', (text, name) => {
    expect(unknownNames(text)).toEqual([name])
  })

  it('have all states of a creation', () => {
    const states = CreationState.options.flatMap(({ shape }) => [...shape.kind.values])
    expect(statesBelow('The life of a creation')).toEqual([...states, 'over'].sort())
  })

  it('have all states of a session', () => {
    expect(statesBelow('The session of an account')).toEqual([...AccountView.shape.state.options].sort())
  })

  it('name each meaning of a page in the sweep', () => {
    const source = readFileSync(join(import.meta.dirname, '../src/main/billing/ledger/progress.ts'), 'utf8')
    const steps = /export type Step =([\s\S]*?)\n\n/.exec(source)?.[1]?.matchAll(/kind: '(\w+)'/g) ?? []
    const kinds = [...steps].map(([, kind]) => kind)
    expect(kinds.length).toBeGreaterThan(0)
    for (const kind of kinds) expect(page).toContain(`stepOf = ${kind ?? ''}`)
  })
})
