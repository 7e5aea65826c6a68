// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { Creation } from '#shared/bridge/creation'
import { mounted } from '../../../../test/gallery/mounted'
import { account, creationView, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import InstanceStateCell from './InstanceStateCell.vue'

const located = { machine: 'b-1', found: false }
const open = async (state: Creation['state'], changes: Partial<BareMetalView> = {}) => {
  const instance: BareMetalView = {
    ...machine({ id: 'b-1', status: null }),
    origin: 'created',
    knownSince: now,
    presence: 'there',
    ...changes,
  }
  const creation = creationView({ kind: 'bare-metal', state })
  const window = await mounted(() => h(InstanceStateCell, { account, instance }), {
    'creation.list': () => [creation],
  })
  onTestFinished(() => window.unmount())
  await window.settled()
  return window.text()
}

it('new bare metal shows the phase of its creation until it is ready', async () => {
  const unprepared = { address: null, startedAt: null }
  expect(await open({ kind: 'created', ...located }, unprepared)).toBe(t('bareMetal.presence.preparing'))
  expect(await open({ kind: 'booting', ...located })).toBe(t('creation.phases.booting'))
  expect(await open({ kind: 'setting-up', ...located, hasBegun: false })).toBe(t('creation.phases.answers'))
  expect(await open({ kind: 'setting-up', ...located, hasBegun: true })).toBe(t('creation.phases.settingUp'))
  const ready = { kind: 'ready', setUp: 'done', detail: null, log: null } as const
  expect(await open({ ...ready, ...located })).toBe(t('bareMetal.presence.started'))
})

it.each([
  ['stopped', { status: 'stopped' }, t('machines.status.stopped')],
  ['deleted', { presence: 'gone' }, t('bareMetal.presence.gone')],
] as const)('bare metal that is %s shows no phase', async (_, changes, text) => {
  expect(await open({ kind: 'booting', ...located }, changes)).toBe(text)
})

it('bare metal that was not created here shows no phase', async () => {
  expect(await open({ kind: 'booting', machine: 'b-2', found: false })).toBe(t('bareMetal.presence.started'))
})
