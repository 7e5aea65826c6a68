// Reads what vitest and Playwright write about a run. Pure.

/**
 * @typedef {{ title: string, reason: string }} Skipped
 * @typedef {{ passed: number, failed: number, skipped: readonly Skipped[], retried: readonly string[] }} Counts
 *   `retried`: titles of those that passed, but not at the first try
 */

/** @type {Counts} */
export const none = { passed: 0, failed: 0, skipped: [], retried: [] }

/**
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export const sum = (counts) => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
  skipped: counts.flatMap(({ skipped }) => skipped),
  retried: counts.flatMap(({ retried }) => retried),
})

/** The suite's title carries the reason (test/fixtures/system-requirements.ts). */
const reasonInTitle = /\(skipped: (.*?)\)/

/**
 * @param {{ testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} report of vitest's json reporter
 * @returns {Counts}
 */
export const unitCounts = ({ testResults }) =>
  sum(
    testResults.map(({ name, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed').length
      return {
        passed: assertionResults.filter((test) => test.status === 'passed').length,
        // A file that cannot be loaded has no tests to fail, and must not look as if all was well.
        failed: status === 'failed' && failed === 0 ? 1 : failed,
        skipped: assertionResults
          .filter((test) => test.status !== 'passed' && test.status !== 'failed')
          .map((test) => ({
            title: `${name}: ${test.fullName.replace(reasonInTitle, '').replace(/ {2,}/g, ' ')}`,
            reason: reasonInTitle.exec(test.fullName)?.[1] ?? 'no reason given',
          })),
        retried: [],
      }
    }),
  )

/**
 * @typedef {{ title: string, tests: { status: string, annotations: { type: string, description?: string }[] }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 */

/**
 * @param {readonly Suite[]} suites
 * @returns {Spec[]}
 */
const specsOf = (suites) =>
  suites.flatMap(({ specs = [], suites: inner = [] }) => [...specs, ...specsOf(inner)])

/**
 * @param {{ suites: Suite[], errors: unknown[] }} report of Playwright's json reporter
 * @returns {Counts}
 */
export const endToEndCounts = ({ suites, errors }) => {
  const tests = specsOf(suites).flatMap((spec) => spec.tests.map((test) => ({ ...test, title: spec.title })))
  const failed = tests.filter(({ status }) => status === 'unexpected').length
  return {
    passed: tests.filter(({ status }) => status === 'expected' || status === 'flaky').length,
    failed: errors.length > 0 && failed === 0 ? 1 : failed,
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ title, annotations }) => ({
        title,
        reason: annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given',
      })),
    retried: tests.filter(({ status }) => status === 'flaky').map(({ title }) => title),
  }
}

/**
 * @param {readonly Skipped[]} skipped
 * @returns {string[]} one line per reason, with the tests it holds back
 */
export const skippedLines = (skipped) => {
  const byReason = new Map()
  for (const { title, reason } of skipped) byReason.set(reason, [...(byReason.get(reason) ?? []), title])
  return [...byReason].flatMap(([reason, titles]) => [
    `Skipped, ${reason}:`,
    ...titles.map((/** @type {string} */ title) => `  ${title}`),
  ])
}

/**
 * @param {readonly string[]} retried
 * @returns {string[]} what a run says of tests that failed once and passed after; nothing where there are none
 */
export const retriedLines = (retried) =>
  retried.length === 0 ? [] : ['Passed at the second try only:', ...retried.map((title) => `  ${title}`)]

/** @param {Counts} counts */
export const lastLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`
