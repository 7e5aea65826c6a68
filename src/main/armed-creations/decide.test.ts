import { describe, expect, it } from 'vitest'
import type { ArmedCreation, ArmedState } from '#shared/bridge/creation'
import { flavorOf, ids, orderOf, usd } from '../../../test/fixtures/armed-world'
import { decide } from './decide'

const now = 1_000
const armed = (changes: Partial<ArmedCreation> = {}): ArmedCreation => ({
  ...orderOf(ids[0]),
  id: ids[0],
  flavorName: 'h100.8x',
  cap: usd(16_000_000),
  expiresAt: now + 60,
  armedAt: 0,
  state: { kind: 'waiting', delay: null },
  ...changes,
})
const inStock = flavorOf({ inStock: true })

describe('an armed creation', () => {
  it('is sent if its flavor is in stock at the cap', () => {
    expect(decide(armed(), [inStock], now)).toEqual({ kind: 'send' })
    expect(decide(armed(), [flavorOf({ inStock: true, gpuCount: 8 })], now)).toEqual({ kind: 'send' })
  })

  it('waits while its flavor is sold out, not listed, or its stock is unknown', () => {
    const others = [
      [],
      [flavorOf()],
      [flavorOf({ inStock: null })],
      [flavorOf({ id: 'g', inStock: true })],
      null,
    ]
    for (const offers of others) expect(decide(armed(), offers, now)).toEqual({ kind: 'none' })
    const elsewhere = flavorOf({ inStock: true, region: { id: 'eu', name: 'Oslo' } })
    expect(decide(armed(), [elsewhere], now)).toEqual({ kind: 'none' })
  })

  it('reports a price above the cap, for the price of one GPU too, and a price that cannot be compared', () => {
    const become = (why: string, price: unknown) => ({
      kind: 'become',
      state: { kind: 'waiting', delay: { why, price, failure: null } },
    })
    const step = (changes: object) => decide(armed(), [flavorOf({ inStock: true, ...changes })], now)
    expect(step({ price: usd(16_000_001) })).toEqual(become('above-cap', usd(16_000_001)))
    expect(step({ price: usd(3_000_000), gpuCount: 8 })).toEqual(become('above-cap', usd(24_000_000)))
    expect(step({ price: null })).toEqual(become('no-price', null))
    const euros = { currency: 'EUR', millionths: 1 }
    expect(step({ price: euros })).toEqual(become('other-currency', euros))
  })

  it('reports each delay once, and drops it when the flavor is sold out again', () => {
    const delay = { why: 'above-cap' as const, price: usd(20_000_000), failure: null }
    const seen = armed({ state: { kind: 'waiting', delay } })
    const dear = flavorOf({ inStock: true, price: usd(20_000_000) })
    expect(decide(seen, [dear], now)).toEqual({ kind: 'none' })
    expect(decide(seen, [flavorOf()], now)).toMatchObject({ kind: 'become', state: { delay: null } })
    expect(decide(seen, [inStock], now)).toEqual({ kind: 'send' })
  })

  it('expires before it is sent', () => {
    expect(decide(armed({ expiresAt: now }), [inStock], now)).toEqual({ kind: 'expire' })
    expect(decide(armed({ expiresAt: now - 1 }), null, now)).toEqual({ kind: 'expire' })
  })

  it('is not sent once it was sent or has ended', () => {
    const states: readonly ArmedState[] = [
      { kind: 'sending' },
      { kind: 'ended', why: 'unknown', at: 0, failure: null },
    ]
    for (const state of states) expect(decide(armed({ state }), [inStock], now)).toEqual({ kind: 'none' })
  })
})
