import { expect, it } from 'vitest'
import type { SetUp } from '#shared/bridge/creation'
import type { PlanStepState } from '#shared/bridge/template'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { planFixture } from '../../../test/fixtures/template'
import { newPlan, openPlans, type StoredPlan } from './plan-book'

const request = '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11'
const ended = (setUp: SetUp) => ({
  request,
  state: { kind: 'ready', machine: 'm-1', found: false, setUp, detail: null, log: null } as const,
})

async function holds(
  state: PlanStepState,
  hold: StoredPlan['hold'] = null,
  setUp: SetUp = 'failed',
): Promise<boolean> {
  const book = openPlans(flakySettings())
  await book.change(() => [newPlan('abcdefghijkl', request, 'train-1', planFixture())])
  await book.setStep(request, 'commands', state, { hold })
  return book.holdsCommands(ended(setUp))
}

it.each([
  [{ kind: 'waiting' }, true],
  [{ kind: 'held', why: 'set-up-failed' }, true],
  [{ kind: 'failed', why: 'not-ready', failure: null, reason: null }, true],
  [{ kind: 'running' }, false],
  [{ kind: 'unknown' }, false],
  [{ kind: 'done' }, false],
] as const)('a failed set-up holds back commands in the state %o: %s', async (state, isHeld) => {
  expect(await holds(state)).toBe(isHeld)
})

it('a failed set-up does not hold back commands that the user runs anyway', async () => {
  expect(await holds({ kind: 'waiting' }, 'accepted')).toBe(false)
})

it('an unread set-up holds back commands only if cloud-init was known to run', async () => {
  expect(await holds({ kind: 'waiting' }, null, 'silent')).toBe(false)
  expect(await holds({ kind: 'waiting' }, 'set-up-unfinished', 'silent')).toBe(true)
  expect(await holds({ kind: 'waiting' }, 'set-up-unfinished', 'done')).toBe(false)
})
