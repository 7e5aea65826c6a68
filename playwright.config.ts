import { defineConfig } from '@playwright/test'

/** Selection of tests: `npm run test:deep` has two more runs of a few (scripts/deep-steps.mjs). */
const run =
  process.env.WHEELHOUSE_WAYLAND === '1'
    ? 'wayland'
    : process.env.WHEELHOUSE_CHROMIUM
      ? 'chromium'
      : 'end-to-end'
const whole = run === 'end-to-end'
const isSecondTry = process.env.WHEELHOUSE_SECOND_TRY === '1'
const testMatch = {
  wayland: '**/wayland.spec.ts',
  chromium: '**/gallery.spec.ts',
  'end-to-end': '**/*.spec.ts',
}

// One window at a time on each screen: keyboard focus, the tray and the keyring are shared. Every worker has its own
// desktop session (test/e2e/fixtures.ts).
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: testMatch[run],
  testIgnore: whole ? ['**/wayland.spec.ts'] : [],
  // A test waits for more than half of its time: two of them leave two processors idle half of the time.
  workers: process.platform === 'linux' && whole ? 3 : 1,
  // Tests of one file too, so that no worker is idle while another has a long file left.
  fullyParallel: true,
  forbidOnly: true,
  // Failed tests are retried once when nothing else runs (scripts/test.mjs).
  retries: 0,
  // Detects hanging tests, and leaves time on a busy computer.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  outputDir: `test-results/${run}`,
  // Pictures of the whole run.
  ...(whole &&
    !isSecondTry && {
      globalSetup: './test/e2e/support/clear-pictures.ts',
      globalTeardown: './test/e2e/support/contact-sheet.ts',
    }),
  reporter: [['list'], ['json', { outputFile: `test-results/${run}${isSecondTry ? '-again' : ''}.json` }]],
})
