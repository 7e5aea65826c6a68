import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const renderer = join(import.meta.dirname, '../../src/renderer')
const states = join(import.meta.dirname, 'states')
const files = (folder: string, end: string): readonly string[] =>
  readdirSync(join(renderer, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file))

/** Components with an entry, by their files below src/renderer, that a file of states imports and lists. */
const shown = readdirSync(states).flatMap((name) => {
  const source = readFileSync(join(states, name), 'utf8')
  return [...source.matchAll(/import (\w+) from '\.\.\/\.\.\/\.\.\/src\/renderer\/(.+\.vue)'/g)].flatMap(
    ([, name = '', file]) => (new RegExp(`entry\\(\\s*${name},`).test(source) ? (file ?? []) : []),
  )
})

describe('the gallery', () => {
  it('shows every component and feature, once', () => {
    const all = [...files('components', '.vue'), ...files('features', '.vue')]
    expect(all.length).toBeGreaterThan(70)
    expect(all.filter((file) => !shown.includes(file))).toEqual([])
    expect(shown.filter((file, at) => shown.indexOf(file) < at)).toEqual([])
  })
})

describe('naive-ui', () => {
  // Its other widgets have no roles (docs/components.md).
  const allowed = ['NButton', 'NCheckbox', 'NConfigProvider', 'NInput', 'NMessageProvider', 'useMessage']

  it('provides only buttons, inputs, checkboxes and messages', () => {
    const sources = ['components', 'features', 'pages', 'app'].flatMap((folder) => [
      ...files(folder, '.vue'),
      ...files(folder, '.ts'),
    ])
    const taken = sources.flatMap((file) =>
      [...readFileSync(join(renderer, file), 'utf8').matchAll(/import \{([^}]*)\} from 'naive-ui'/g)].flatMap(
        ([, names = '']) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map((name) => `${name} in ${file}`),
      ),
    )
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.filter((use) => !allowed.includes(use.replace(/ in .*/, '')))).toEqual([])
  })
})
