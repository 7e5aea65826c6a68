import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const results = join(import.meta.dirname, '../../test-results')

// The installed program exists once, so tests run one at a time.
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  outputDir: join(results, 'packages'),
  reporter: [['list'], ['json', { outputFile: join(results, 'packages.json') }]],
})
