import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const client = join(root, 'src/main/service')
const page = readFileSync(join(root, 'docs/coverage.md'), 'utf8')

/** Returns `GET /machines/{id}` without the names of its parts and without a query. */
const bare = (endpoint: string): string => endpoint.replace(/\{[^}]*\}/g, '{}').replace(/\?.*$/, '')

/** Returns the requests in the client's sources: method and path, each variable part as {}. */
function spoken(): readonly string[] {
  const sources = readdirSync(client)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(client, file), 'utf8'))
  const path = /['`](\/[^'`]+)['`]/.source
  const ways: readonly [RegExp, (method: string) => string][] = [
    [new RegExp(`(http\\.(?:get|page|list)\\(|\\w+\\(http,)\\s*${path}`, 'g'), () => 'GET'],
    [new RegExp(`http\\.send\\(\\s*'([A-Z]+)',\\s*${path}`, 'g'), (method) => method],
    [new RegExp(`method: '([A-Z]+)', path: ${path}`, 'g'), (method) => method],
  ]
  const found = sources.flatMap((source) =>
    ways.flatMap(([way, methodOf]) =>
      [...source.matchAll(way)].map(([, method = '', said = '']) => `${methodOf(method)} ${said}`),
    ),
  )
  const powers = ['start', 'stop', 'reboot']
  return [
    ...new Set(
      found
        .flatMap((one) => powers.map((power) => one.replace('${action}', power)))
        .map((one) => one.replace(/\$\{[^}]*\}/g, '{}')),
    ),
  ].toSorted()
}

/** Returns the rows of both tables: the endpoint, and the file of its test. */
const rows = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` .*\| `([^`]+)`\s*\|$/gm)].map(
  ([, endpoint = '', file = '']) => ({ endpoint, file }),
)
const later = [...page.matchAll(/^- `([A-Z]+ \/[^`]*)`/gm)].map(([, endpoint = '']) => endpoint)

describe('the table of endpoints', () => {
  it('names exactly the requests of the client', () => {
    const named = [...rows.map(({ endpoint }) => endpoint), ...later].map(bare)
    expect([...new Set(named)].toSorted()).toEqual(spoken())
  })

  it('has no row without an existing test', () => {
    for (const { endpoint, file } of rows)
      expect(existsSync(join(root, 'test/e2e', file)), `${endpoint}: ${file}`).toBe(true)
    expect(rows).not.toEqual([])
    expect(rows.length).toBe(page.split('\n').filter((line) => line.startsWith('| `')).length)
  })
})
