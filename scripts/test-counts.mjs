// Reads the reports of vitest and Playwright. Pure.

/**
 * @typedef {{ title: string, reason: string }} Skipped
 * @typedef {{ passed: readonly string[], failed: readonly string[], skipped: readonly Skipped[], retried:
 * readonly string[] }} Counts titles of tests; `retried`: tests that passed only at the second attempt, which
 * are in `passed` too
 */

/** @type {Counts} */
export const none = { passed: [], failed: [], skipped: [], retried: [] }

/**
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export const sum = (counts) => ({
  passed: counts.flatMap(({ passed }) => passed),
  failed: counts.flatMap(({ failed }) => failed),
  skipped: counts.flatMap(({ skipped }) => skipped),
  retried: counts.flatMap(({ retried }) => retried),
})

/** The suite's title contains the reason (test/fixtures/system-requirements.ts). */
const reasonInTitle = /\(skipped: (.*?)\)/

/**
 * @param {{ testResults: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] }} report of vitest's json reporter
 * @returns {Counts}
 */
export const unitCounts = ({ testResults }) =>
  sum(
    testResults.map(({ name, status, assertionResults }) => {
      /** @param {string} wanted */
      const titles = (wanted) =>
        assertionResults
          .filter((test) => test.status === wanted)
          .map(({ fullName }) => `${name}: ${fullName}`)
      const failed = titles('failed')
      return {
        passed: titles('passed'),
        // A file that cannot be loaded has no tests to fail, but must not count as passed.
        failed: status === 'failed' && failed.length === 0 ? [name] : failed,
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
 * @param {{ testResults: { name: string, status: string }[] }} report of vitest's json reporter
 * @returns {readonly string[]} absolute paths of the files with a failed test, or that could not be loaded
 */
export const failedUnitFiles = ({ testResults }) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)

/**
 * @typedef {{ title: string, file: string, tests: { status: string, annotations: { type: string, description?: string }[] }[] }} Spec
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
  const tests = specsOf(suites).flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, title: `${spec.file}: ${spec.title}` })),
  )
  /** @param {string} wanted */
  const titles = (wanted) => tests.filter(({ status }) => status === wanted).map(({ title }) => title)
  const failed = titles('unexpected')
  return {
    passed: titles('expected'),
    failed: [...failed, ...errors.map((_, at) => `The run itself failed, error ${at + 1}`)],
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ title, annotations }) => ({
        title,
        reason: annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given',
      })),
    retried: [],
  }
}

/**
 * @param {Counts} first counts of a whole run
 * @param {Counts} second counts of another run of its failed tests
 * @returns {Counts}
 */
export const afterSecondTry = (first, second) => {
  const retried = first.failed.filter(
    (title) => second.passed.includes(title) && !second.failed.includes(title),
  )
  return {
    ...first,
    passed: [...first.passed, ...retried],
    failed: first.failed.filter((title) => !retried.includes(title)),
    retried,
  }
}

/**
 * @param {readonly Skipped[]} skipped
 * @returns {string[]} one line per reason, with its tests
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
 * @returns {string[]} tests that passed only at the second attempt
 */
export const retriedLines = (retried) =>
  retried.length === 0 ? [] : ['Passed at the second try only:', ...retried.map((title) => `  ${title}`)]

/** @param {Counts} counts */
export const lastLine = ({ passed, failed, skipped }) =>
  `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`
