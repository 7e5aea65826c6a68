import { expect, it } from 'vitest'
import type { Template } from '#shared/bridge/template'
import { flavorFixture } from '../../../../test/fixtures/flavor'
import { templateFixture } from '../../../../test/fixtures/template'
import { type AccountFacts, readinessOf } from './readiness'

const flavor = flavorFixture()
const { price } = flavor
const facts: AccountFacts = {
  flavors: [{ ...flavor, region: { id: 'p', name: 'Paris' }, inStock: false }, flavor],
  areMachinesRead: true,
  isCurrencyAssumed: false,
  isSshAllowed: true,
}
const complete: Partial<Template> = { end: null }

it.each([
  ['complete', complete, {}, 'ready'],
  ['without commands and permission', { end: null, commands: '' }, { isSshAllowed: false }, 'ready'],
  ['while prices are read', complete, { flavors: 'loading' as const }, 'loading'],
  ['without prices', complete, { flavors: null }, 'unpriced'],
  ['without the names of machines', complete, { areMachinesRead: false }, 'machines'],
  ['with a GPU that is not offered', { end: null, flavor: 'gb200' }, {}, 'flavor'],
  ['with a GPU of another region', { end: null, region: 'Bergen' }, {}, 'flavor'],
  ['out of stock', { end: null, region: 'Paris' }, {}, 'stock'],
  ['with an unknown price', complete, { flavors: [{ ...flavor, price: null }] }, 'unpriced'],
  ['with an assumed currency', complete, { isCurrencyAssumed: true }, 'unpriced'],
  ['with an end to arm', {}, {}, 'answers'],
  ['with commands and without permission', complete, { isSshAllowed: false }, 'answers'],
  ['with values that were left out', { end: null, initScript: 'TOKEN=•••' }, {}, 'answers'],
  ['without an image', { end: null, image: null }, {}, 'answers'],
  ['without a key', { end: null, key: null }, {}, 'answers'],
])('a template %s', (_, template, changes, expected) => {
  const readiness = readinessOf(templateFixture(template), { ...facts, ...changes })
  expect(readiness.kind === 'ready' ? readiness.kind : readiness.why).toBe(expected)
  if (readiness.kind === 'ready') expect(readiness.price).toEqual(price)
})
