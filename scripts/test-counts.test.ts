import { describe, expect, it } from 'vitest'
import {
  afterSecondTry,
  endToEndCounts,
  failedUnitFiles,
  lastLine,
  retriedLines,
  skippedLines,
  sum,
  unitCounts,
} from './test-counts.mjs'

const unitReport = {
  testResults: [
    {
      name: 'keychain.test.ts',
      status: 'passed',
      assertionResults: [
        { status: 'passed', fullName: 'keeps a secret' },
        {
          status: 'skipped',
          fullName: 'keyring (skipped: keyring is missing, apt-get install gnome-keyring) finds it again',
        },
      ],
    },
    { name: 'broken.test.ts', status: 'failed', assertionResults: [] },
  ],
}
const unit = unitCounts(unitReport)

const endToEnd = endToEndCounts({
  errors: [],
  suites: [
    {
      specs: [{ file: 'a.spec.ts', title: 'signs in', tests: [{ status: 'expected', annotations: [] }] }],
      suites: [
        {
          specs: [
            {
              file: 'a.spec.ts',
              title: 'wrong password',
              tests: [{ status: 'unexpected', annotations: [] }],
            },
            {
              file: 'b.spec.ts',
              title: 'tray',
              tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'tray is missing' }] }],
            },
          ],
        },
      ],
    },
  ],
})

describe('counting test cases', () => {
  it('includes a file that cannot be loaded as a failure', () => {
    expect(unit).toMatchObject({ passed: ['keychain.test.ts: keeps a secret'], failed: ['broken.test.ts'] })
    expect(failedUnitFiles(unitReport)).toEqual(['broken.test.ts'])
  })

  it('finds the reason of a skipped test', () => {
    expect(unit.skipped).toEqual([
      {
        title: 'keychain.test.ts: keyring finds it again',
        reason: 'keyring is missing, apt-get install gnome-keyring',
      },
    ])
    expect(endToEnd.skipped).toEqual([{ title: 'b.spec.ts: tray', reason: 'tray is missing' }])
  })

  it('includes end-to-end tests at any depth', () => {
    expect(endToEnd).toMatchObject({ passed: ['a.spec.ts: signs in'], failed: ['a.spec.ts: wrong password'] })
  })

  it('includes an end-to-end run that could not start as a failure', () => {
    expect(endToEndCounts({ suites: [], errors: [{ message: 'no tests found' }] }).failed).toHaveLength(1)
  })

  it('ends with one line for all', () => {
    expect(lastLine(sum([unit, endToEnd]))).toBe('2 passed, 2 failed, 2 skipped')
  })

  it('names tests that passed only at the second attempt', () => {
    const passes = { ...endToEnd, passed: ['a.spec.ts: wrong password'], failed: [] }
    const counts = afterSecondTry(endToEnd, passes)
    expect(counts).toMatchObject({
      passed: ['a.spec.ts: signs in', 'a.spec.ts: wrong password'],
      failed: [],
    })
    expect(retriedLines(counts.retried)).toEqual([
      'Passed at the second try only:',
      '  a.spec.ts: wrong password',
    ])
    expect(retriedLines([])).toEqual([])
  })

  it('includes a test as failed if the second attempt fails or does not run it', () => {
    for (const failed of [endToEnd.failed, []])
      expect(afterSecondTry(endToEnd, { ...endToEnd, passed: [], failed })).toEqual(endToEnd)
  })

  it('names each reason once, with its tests', () => {
    expect(
      skippedLines([
        { title: 'a', reason: 'r' },
        { title: 'b', reason: 'r' },
      ]),
    ).toEqual(['Skipped, r:', '  a', '  b'])
  })
})
