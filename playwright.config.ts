import { defineConfig } from '@playwright/test'

// One window at a time on one screen: keyboard focus, the tray and the keyring are shared.
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  // Until two runs beside each other are steady: a test that passes only at its second try is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  outputDir: 'test-results/end-to-end',
  globalSetup: './test/e2e/support/clear-pictures.ts',
  globalTeardown: './test/e2e/support/contact-sheet.ts',
  reporter: [['list'], ['json', { outputFile: 'test-results/end-to-end.json' }]],
})
