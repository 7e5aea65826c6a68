import { h } from 'vue'
import type { ArmedCreationView, ArmedState } from '#shared/bridge/creation'
import ArmDialog from '../../../src/renderer/features/creation/ArmDialog.vue'
import ArmedCreations from '../../../src/renderer/features/creation/ArmedCreations.vue'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, now, usd } from '../world'

export const armedCreation = (changes: Partial<ArmedCreationView> = {}): ArmedCreationView => ({
  id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11',
  account,
  kind: 'machine',
  name: 'h100-1',
  flavorName: 'h100.8x',
  region: { id: 'o', name: 'Oslo' },
  cap: usd(20),
  expiresAt: now + 86_400,
  armedAt: now,
  state: { kind: 'waiting', delay: null },
  ...changes,
})
const list = (...items: readonly ArmedCreationView[]): GalleryState => ({
  width: 720,
  render: () => h(ArmedCreations, { account }),
  handlers: { 'armedCreations.list': () => [...items] },
})
const inState = (state: ArmedState): GalleryState => list(armedCreation({ state }))
const ended = (why: 'expired' | 'failed' | 'unknown'): ArmedState => ({
  kind: 'ended',
  why,
  at: now,
  failure: why === 'failed' ? { kind: 'refused-by-service', message: texts.html, status: 409 } : null,
})
const dialog =
  (changes: object = {}) =>
  () =>
    h(ArmDialog, {
      title: 'Create h100-1 when h100.8x is back in stock',
      action: 'Wait and create',
      currency: 'USD',
      flavor: { price: usd(2.5), gpuCount: 8 },
      terms: null,
      run: () => Promise.resolve(),
      ...changes,
    })

export default [
  entry(ArmedCreations, {
    none: list(),
    waiting: inState({ kind: 'waiting', delay: null }),
    'above the cap': inState({
      kind: 'waiting',
      delay: { why: 'above-cap', price: usd(24), failure: null },
    }),
    'not sent': inState({
      kind: 'waiting',
      delay: { why: 'not-sent', price: null, failure: { kind: 'offline' } },
    }),
    sending: inState({ kind: 'sending' }),
    expired: inState(ended('expired')),
    failed: inState(ended('failed')),
    unknown: inState(ended('unknown')),
    several: list(
      armedCreation(),
      armedCreation({ id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a12', name: texts.long, flavorName: texts.html }),
      armedCreation({ id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a13', state: ended('unknown') }),
    ),
    narrow: { ...inState(ended('expired')), width: 420 },
    'right to left': { ...inState(ended('expired')), rtl: true },
  }),
  entry(ArmDialog, {
    usual: dialog(),
    'one GPU': dialog({ flavor: { price: usd(2.5), gpuCount: 1 } }),
    'assumed currency': dialog({ isCurrencyAssumed: true }),
    'no price': dialog({ flavor: { price: null, gpuCount: 8 } }),
    hostile: dialog({ title: texts.html }),
  }),
]
