import { defineConfig } from '@playwright/test'

const underWayland = process.env.WHEELHOUSE_WAYLAND === '1'

// One window at a time on each screen: keyboard focus, the tray and the keyring are shared. Every worker has a
// desktop session of its own (test/e2e/fixtures.ts).
export default defineConfig({
  testDir: 'test/e2e',
  // `npm run test:deep` runs the main flows once more under Wayland (docs/testing.md).
  testMatch: underWayland ? '**/wayland.spec.ts' : '**/*.spec.ts',
  testIgnore: underWayland ? [] : '**/wayland.spec.ts',
  workers: process.platform === 'linux' && !underWayland ? 2 : 1,
  // Tests of one file too, so that no worker is idle while the other has a long file left.
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  outputDir: underWayland ? 'test-results/wayland' : 'test-results/end-to-end',
  globalSetup: './test/e2e/support/clear-pictures.ts',
  globalTeardown: './test/e2e/support/contact-sheet.ts',
  reporter: [
    ['list'],
    ['json', { outputFile: `test-results/${underWayland ? 'wayland' : 'end-to-end'}.json` }],
  ],
})
