import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AccountView } from '../src/shared/bridge/account'
import { CreationState } from '../src/shared/bridge/creation'

const page = readFileSync(join(import.meta.dirname, '../docs/state-diagrams.md'), 'utf8')

/** The states of the diagram below a heading, by the names that they are shown with. */
function statesBelow(heading: string): readonly string[] {
  const diagram = page.split(`## ${heading}\n`)[1]?.match(/```mermaid\n([\s\S]*?)```/)?.[1] ?? ''
  const shown = new Map([...diagram.matchAll(/state "(.+)" as (\w+)/g)].map(([, name, id]) => [id, name]))
  const ids = [...diagram.matchAll(/^ *(\S+) --> ([^\s:]+)/gm)].flatMap(([, from, to]) => [from, to])
  const names = ids.flatMap((id) => (id === undefined || id === '[*]' ? [] : [shown.get(id) ?? id]))
  return [...new Set(names)].sort()
}

describe('the state diagrams', () => {
  it('of a creation shows each state that there is', () => {
    const states = CreationState.options.flatMap(({ shape }) => [...shape.kind.values])
    expect(statesBelow('The life of a creation')).toEqual([...states, 'over'].sort())
  })

  it('of a session shows each state that there is', () => {
    expect(statesBelow('The session of an account')).toEqual([...AccountView.shape.state.options].sort())
  })

  it('of the sweep names each meaning of a page', () => {
    const source = readFileSync(join(import.meta.dirname, '../src/main/billing/ledger/progress.ts'), 'utf8')
    const steps = /export type Step =([\s\S]*?)\n\n/.exec(source)?.[1]?.matchAll(/kind: '(\w+)'/g) ?? []
    const kinds = [...steps].map(([, kind]) => kind)
    expect(kinds.length).toBeGreaterThan(0)
    for (const kind of kinds) expect(page).toContain(`stepOf = ${kind ?? ''}`)
  })
})
