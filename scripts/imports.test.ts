import { describe, expect, it } from 'vitest'
import { cycles, mainModule, violations } from '../test/fixtures/import-rules'
import { sourceImports } from '../test/fixtures/source-imports'

const imports = sourceImports('src')

const moduleImports = imports.flatMap(({ from, to }) => {
  const [module, other] = [mainModule(from), mainModule(to)]
  const isTest = /\.(test|fixture)\.ts$/.test(from)
  return isTest || !module || !other || module === other ? [] : [{ from: module, to: other }]
})

describe('the imports of src', () => {
  it('run downwards only', () => {
    expect(violations(imports)).toEqual([])
  })

  // Types too: a file that cannot be understood without its importer is half of that file.
  it('contain no cycle of files', () => {
    expect(cycles(imports)).toEqual([])
  })

  it('contain no cycle of main’s modules', () => {
    expect(cycles(moduleImports)).toEqual([])
  })

  it('are all read, including imports in components, tests and lazily loaded pages', () => {
    expect(imports.length).toBeGreaterThan(4000)
    expect(imports).toContainEqual({ from: 'src/renderer/app/main.ts', to: 'vue', typeOnly: false })
    expect(imports.some(({ from, to }) => from.endsWith('.vue') && to.endsWith('.vue'))).toBe(true)
    expect(imports.some(({ to, typeOnly }) => to.startsWith('src/shared/') && typeOnly)).toBe(true)
  })
})

/** Returns the files evaluated with a file: all direct and indirect imports, without `import()`. */
const evaluatedWith = (entry: string): ReadonlySet<string> => {
  const reached = new Set([entry])
  for (const file of reached)
    for (const { from, to, typeOnly, later } of imports)
      if (from === file && !typeOnly && !later) reached.add(to)
  return reached
}

describe('a start of the main process', () => {
  const isPackage = (name: string): boolean => !name.startsWith('src/') && !name.startsWith('node:')

  // Each further module delays everything (docs/performance.md).
  it('evaluates little before the window opens', () => {
    const reached = evaluatedWith('src/main/index.ts')
    expect([...reached].filter(isPackage).toSorted()).toEqual(['electron', 'p-limit', 'zod'])
    expect(reached.size).toBeLessThan(108)
  })

  it('loads SSH, the database, the keychain and terminals on first use only', () => {
    const packages = [...evaluatedWith('src/main/desktop/application.ts')].filter(isPackage).toSorted()
    const small = ['csv-stringify/sync', 'jose', 'lru-cache', 'ofetch', 'p-limit']
    expect(packages).toEqual(['electron', 'zod', ...small].toSorted())
  })
})

describe('the rules of imports', () => {
  it.each([
    ['src/shared/money/rate.ts', 'src/main/core/mutex.ts'],
    ['src/shared/money/rate.ts', 'node:fs'],
    ['src/shared/money/rate.ts', 'electron'],
    ['src/renderer/stores/fleet.ts', 'src/main/fleet/index.ts'],
    ['src/renderer/stores/fleet.ts', 'src/sandbox/index.ts'],
    ['src/renderer/stores/fleet.ts', 'node:path'],
    ['src/renderer/stores/fleet.ts', 'electron'],
    ['src/renderer/stores/fleet.ts', 'test/fixtures/clock.ts'],
    ['src/renderer/pages/billing/BillingPage.vue', 'test/gallery/world.ts'],
    ['src/preload/index.ts', 'src/main/index.ts'],
    ['src/preload/index.ts', 'node:fs'],
    ['src/sandbox/index.ts', 'src/main/service/http.ts'],
    ['src/sandbox/index.ts', 'electron'],
    ['src/main/fleet/index.ts', 'src/renderer/stores/fleet.ts'],
    ['src/main/fleet/index.ts', 'src/sandbox/index.ts'],
    ['src/main/fleet/index.ts', 'electron'],
    ['src/main/fleet/index.ts', 'electron/main'],
    ['src/main/fleet/index.ts', 'src/main/desktop/main-window.ts'],
    ['src/main/fleet/index.ts', 'src/main/app/modules.ts'],
    ['src/main/fleet/index.ts', 'test/fixtures/clock.ts'],
    ['src/main/fleet/index.test.ts', 'electron'],
    ['src/main/desktop/window.test.ts', 'electron'],
    ['src/main/core/poller.ts', 'src/main/store/settings.ts'],
    ['src/main/service/http.ts', 'src/main/accounts/index.ts'],
    ['src/main/ssh/index.ts', 'src/main/terminals/index.ts'],
    ['src/main/ssh/machines/index.ts', 'src/main/files/index.ts'],
    ['src/main/app/modules.ts', 'src/main/desktop/main-window.ts'],
    ['src/main/desktop/main-window.ts', 'src/main/index.ts'],
    ['src/renderer/platform/bridge.ts', 'src/renderer/stores/fleet.ts'],
    ['src/renderer/stores/fleet.ts', 'src/renderer/components/Button.vue'],
    ['src/renderer/components/Button.vue', 'src/renderer/features/cost/Cost.vue'],
    ['src/renderer/features/cost/Cost.vue', 'src/renderer/pages/billing/BillingPage.vue'],
    ['src/renderer/pages/billing/BillingPage.vue', 'src/renderer/app/router.ts'],
  ])('reject %s → %s', (from, to) => {
    expect(violations([{ from, to, typeOnly: true }])).toHaveLength(1)
  })

  it.each([
    ['src/renderer/app/router.ts', 'src/renderer/pages/billing/BillingPage.vue'],
    ['src/renderer/stores/fleet.ts', 'src/shared/bridge/index.ts'],
    ['src/renderer/stores/fleet.ts', 'src/renderer/stores/accounts.ts'],
    ['src/renderer/platform/theme.test.ts', 'src/renderer/app/main.ts'],
    ['src/main/index.ts', 'electron'],
    ['src/main/desktop/main-window.ts', 'electron'],
    ['src/preload/index.ts', 'electron'],
    ['src/main/fleet/index.ts', 'node:fs'],
    ['src/main/fleet/index.ts', 'src/main/core/mutex.ts'],
    ['src/main/fleet/index.ts', 'src/main/accounts/index.ts'],
    ['src/main/fleet/index.test.ts', 'src/sandbox/index.ts'],
    ['src/main/terminals/open-session.ts', 'src/main/ssh/launcher/connect.ts'],
    ['src/main/index.ts', 'src/main/desktop/main-window.ts'],
  ])('allow %s → %s', (from, to) => {
    expect(violations([{ from, to, typeOnly: false }])).toEqual([])
  })

  it('find every cycle once', () => {
    const edges = ['a b', 'b c', 'c b', 'c d', 'd d', 'e a'].map((edge) => edge.split(' '))
    const found = cycles(edges.map(([from = '', to = '']) => ({ from, to })))
    expect(found).toEqual([['d'], ['b', 'c']])
  })
})
