// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { ArmedCreationView } from '#shared/bridge/creation'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { armedCreation } from '../../../../test/gallery/states/armed-creations'
import { account, usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import ArmedCreations from './ArmedCreations.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (items: readonly ArmedCreationView[], props: object = { account }) => {
  window = await mounted(() => h(ArmedCreations, { account, ...props }), {
    'armedCreations.list': () => [...items],
    'armedCreations.cancel': () => undefined,
    'armedCreations.change': () => undefined,
  })
}
const button = async (label: string): Promise<void> => {
  const found = window.all('button').find((one) => one.textContent?.trim().startsWith(label))
  await window.click(found ?? expect.fail(label))
}
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const ended = { kind: 'ended', why: 'expired', at: 0, failure: null } as const

it('shows the price that was seen above the cap', async () => {
  const delay = { why: 'above-cap' as const, price: usd(24), failure: null }
  await open([armedCreation({ state: { kind: 'waiting', delay } })])
  expect(window.text()).toContain(t('armedCreations.delays.above-cap', { price: '24.00 USD' }))
  expect(window.text()).toContain(t('armedCreations.hint'))
})

it('cancels a waiting creation into the form, and dismisses an ended one', async () => {
  const item = armedCreation()
  await open([item])
  await button(t('armedCreations.cancel'))
  expect(calls('armedCreations.cancel')).toEqual([{ account, armed: item.id, keepsDraft: true }])
  window.unmount()
  await open([armedCreation({ state: ended })])
  await window.click(window.find(`[aria-label="${t('armedCreations.dismiss')}"]`))
  expect(calls('armedCreations.cancel')).toEqual([{ account, armed: item.id, keepsDraft: false }])
})

it('changes the terms, and waits again after the end, unless the outcome is unknown', async () => {
  const item = armedCreation({ state: ended })
  await open([item])
  await button(t('armedCreations.again'))
  await window.type(window.find('input[type=text]'), '9')
  await window.submit()
  expect(calls('armedCreations.change')).toMatchObject([{ account, armed: item.id, cap: usd(9) }])
  window.unmount()
  await open([armedCreation({ state: { ...ended, why: 'unknown' } })])
  const labels = window.all('button').map((one) => one.textContent?.trim())
  expect(labels.some((label) => label?.startsWith(t('armedCreations.again')))).toBe(false)
})

it('shows the reason that the service gave for its refusal', async () => {
  const failure = { kind: 'refused-by-service' as const, message: 'Quota of 8 GPUs reached.', status: 400 }
  await open([armedCreation({ state: { ...ended, why: 'failed', failure } })])
  expect(window.text()).toContain(t('armedCreations.ended.failed', { reason: 'Quota of 8 GPUs reached' }))
})

it('shows only creations of its kind', async () => {
  await open([armedCreation()], { kind: 'bare-metal' })
  expect(window.all('section')).toEqual([])
})
