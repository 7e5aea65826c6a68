import { describe, expect, it } from 'vitest'
import { endToEndCounts, lastLine, retriedLines, skippedLines, sum, unitCounts } from './test-counts.mjs'

const unit = unitCounts({
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
})

const endToEnd = endToEndCounts({
  errors: [],
  suites: [
    {
      specs: [{ title: 'signs in', tests: [{ status: 'expected', annotations: [] }] }],
      suites: [
        {
          specs: [
            { title: 'wrong password', tests: [{ status: 'unexpected', annotations: [] }] },
            { title: 'opens a terminal', tests: [{ status: 'flaky', annotations: [] }] },
            {
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
  it('counts a file that cannot be loaded as a failure', () => {
    expect(unit).toMatchObject({ passed: 1, failed: 1 })
  })

  it('finds the reason of a skipped test', () => {
    expect(unit.skipped).toEqual([
      {
        title: 'keychain.test.ts: keyring finds it again',
        reason: 'keyring is missing, apt-get install gnome-keyring',
      },
    ])
    expect(endToEnd.skipped).toEqual([{ title: 'tray', reason: 'tray is missing' }])
  })

  it('counts end-to-end tests at any depth', () => {
    expect(endToEnd).toMatchObject({ passed: 2, failed: 1 })
  })

  it('counts an end-to-end run that could not begin as a failure', () => {
    expect(endToEndCounts({ suites: [], errors: [{ message: 'no tests found' }] }).failed).toBe(1)
  })

  it('ends with one line for all', () => {
    expect(lastLine(sum([unit, endToEnd]))).toBe('3 passed, 2 failed, 2 skipped')
  })

  it('names what passed at the second try only', () => {
    expect(retriedLines(sum([unit, endToEnd]).retried)).toEqual([
      'Passed at the second try only:',
      '  opens a terminal',
    ])
    expect(retriedLines([])).toEqual([])
  })

  it('names each reason once, with the tests it holds back', () => {
    expect(
      skippedLines([
        { title: 'a', reason: 'r' },
        { title: 'b', reason: 'r' },
      ]),
    ).toEqual(['Skipped, r:', '  a', '  b'])
  })
})
