import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

// The example of docs/architecture.md runs in a tree without some of them.
const tests = ['src', 'scripts', 'test'].filter(existsSync).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const sourceOf = (file: string) => readFileSync(file, 'utf8')
const mocking = tests.filter((file) => sourceOf(file).includes('vi.mock('))
const others = tests.filter((file) => !mocking.includes(file))
const mounted = others.filter((file) => sourceOf(file).startsWith('// @vitest-environment happy-dom'))

export default defineConfig({
  plugins: [vue()],
  test: {
    // On a busy computer everything is late, including hooks.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    retry: 0,
    globalSetup: ['test/own-temporary-folder.ts'],
    setupFiles: ['test/before-each-file.ts'],
    // The default is the number of processors minus one. Tests wait for other programs more than half of the time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Reloading each file's imports took more time than the tests; modules have no global state.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'modules', include: others.filter((file) => !mounted.includes(file)) } },
      // With a document: modules loaded with a document do not work without one.
      { extends: true, test: { name: 'window', include: mounted } },
      // A replaced module has no effect on modules that an earlier file has loaded.
      { extends: true, test: { name: 'mocks', include: mocking, isolate: true } },
    ],
  },
})
