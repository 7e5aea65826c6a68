// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { EndState } from '#shared/bridge/end-rule'
import { emissions, mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { account, endRuleView, machine, now } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import EndRuleNotice from './EndRuleNotice.vue'

let window: Mounted
afterEach(() => window.unmount())

async function open(state: EndState, isArmed = false) {
  const { seen, on } = emissions('act')
  const calls: string[] = []
  const rule = endRuleView({ when: { kind: 'at', at: now + 600 }, state, dueAt: now + 600 })
  const record = (name: string) => () => void calls.push(name)
  window = await mounted(() => h(EndRuleNotice, { account, machine: machine(), armed: isArmed, ...on }), {
    'endRules.list': () => [rule],
    'endRules.extend': record('extend'),
    'endRules.cancel': record('cancel'),
    'endRules.now': record('now'),
  })
  await window.settled()
  return { seen, calls }
}

it.each([
  ['a countdown', { kind: 'warned', endsAt: now + 600 }, false],
  ['an armed end in its section', { kind: 'armed' }, true],
] as const)('%s offers to extend, keep and end now', async (_, state, isArmed) => {
  const { calls } = await open(state, isArmed)
  expect(window.text()).toContain('Deleted in ')
  for (const name of [t('endRules.extend'), t('endRules.now.delete'), t('endRules.keep.delete')]) {
    await window.click(window.named(name))
    await window.settled()
  }
  expect(calls).toEqual(['extend', 'now', 'cancel'])
})

it('an end that was held back shows its reason, the findings in numbers, and opens the dialog', async () => {
  const found = { programs: 8, sessions: 2, jobs: 0, repositories: 1, files: 0, isComplete: false }
  const { seen, calls } = await open({ kind: 'held', why: 'loss', at: now, failure: null, found })
  expect(window.text()).toContain(t('endRules.held.loss'))
  expect(window.text()).toContain(
    'Found on the machine: 8 processes on the GPUs, 2 sessions, 1 Git repository with work. Not everything could be read.',
  )
  await window.click(window.named(t('machineActions.menuItems.delete')))
  expect([seen, calls]).toEqual([[['act', 'delete']], []])
})

it('an armed rule needs no attention', async () => {
  await open({ kind: 'armed' })
  expect(window.all('[role=region]')).toEqual([])
})
