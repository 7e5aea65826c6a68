import { availableParallelism } from 'node:os'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

const window = ['src/renderer/**/*.test.ts', 'test/gallery/**/*.test.ts']

export default defineConfig({
  plugins: [vue()],
  test: {
    testTimeout: 30_000,
    retry: 0,
    // By default one less than there are processors, which on two of them leaves one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/faults/**/*.test.ts'],
          exclude: window,
          // Loading each file's imports anew took more time than the tests; no module keeps anything of its own.
          isolate: false,
        },
      },
      // Mounted components share a document, stores and messages.
      { extends: true, test: { name: 'window', include: window } },
    ],
  },
})
