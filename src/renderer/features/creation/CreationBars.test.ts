// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Creation } from '#shared/bridge/creation'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreationBars from './CreationBars.vue'

let window: Mounted
afterEach(() => window.unmount())

it.each([
  ['running', true],
  ['stopping', false],
  ['stopped', false],
  ['error', false],
])('the bar reports a running machine only while it runs: %s', async (status, isSaid) => {
  const creation: Creation = {
    id: 'c-1',
    account,
    kind: 'machine',
    name: 'm',
    sentAt: now,
    request: 'r1',
    flavor: 'f1',
    cause: null,
    state: { kind: 'running', machine: 'm-1', found: false },
  }
  window = await mounted(() => h(CreationBars, { kind: 'machine' }), {
    'creation.list': () => [creation],
    'fleet.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      machines: [machine({ id: 'm-1', name: 'm', status })],
      status: { asOf: 1, reading: false, total: 1, failure: null },
    }),
  })
  expect(window.text().includes(t('creation.states.running', { name: 'm' }))).toBe(isSaid)
})
