import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

// The walk through adding an endpoint is tested in a tree without some of them.
const tests = ['src', 'scripts', 'test'].filter(existsSync).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const mounted = tests.filter((file) =>
  readFileSync(file, 'utf8').startsWith('// @vitest-environment happy-dom'),
)

export default defineConfig({
  plugins: [vue()],
  test: {
    // Where the computer does much else, what is waited for comes late, before a test and after it too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    retry: 0,
    globalSetup: ['test/own-temporary-folder.ts'],
    setupFiles: ['test/before-each-file.ts'],
    // By default one less than there are processors. Tests wait for other programs more than half of the time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Loading each file's imports anew took more time than the tests; no module keeps anything of its own.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'modules', include: tests.filter((file) => !mounted.includes(file)) } },
      // With a document: what is loaded with one does not work without.
      { extends: true, test: { name: 'window', include: mounted } },
    ],
  },
})
