import { describe, expect, it } from 'vitest'
import { Usage } from '#shared/service/billing'
import { time, usage } from './book.fixture'
import { isRunning, lifetimeOf, mergeUsage, usageRecord } from './usage-record'

const created = time('2026-07-01T00:00:00Z')
const later = time('2026-07-02T00:00:00Z')
const lifetime = (more: Parameters<typeof usage>[0]) => lifetimeOf(usage({ created, ...more }))

describe('the lifetime of a resource according to usage', () => {
  it('goes on where its end is absent, zero or before its beginning', () => {
    for (const terminated of [null, 0, created - 1]) {
      const life = lifetime({ terminated })
      expect(life).toEqual({ from: created, until: null, over: false })
      expect(isRunning(life, later)).toBe(true)
    }
  })

  it('ends when the service says that it did', () => {
    const life = lifetime({ terminated: later, status: 'terminated' })
    expect(life).toEqual({ from: created, until: later, over: true })
    expect(isRunning(life, later - 1)).toBe(false)
  })

  it('goes on until an end that lies ahead', () => {
    const life = lifetime({ terminated: later })
    expect(isRunning(life, later - 1)).toBe(true)
    expect(isRunning(life, later)).toBe(false)
  })

  it('lasted for its uptime, where it is over and its end makes no sense', () => {
    for (const terminated of [null, 0, created - 1]) {
      const life = lifetime({ terminated, status: 'terminated', minutes: 60 })
      expect(life).toEqual({ from: created, until: created + 3600, over: true })
    }
    expect(lifetime({ terminated: 0, status: 'terminated' })).toEqual({
      from: created,
      until: null,
      over: true,
    })
  })

  it('began its uptime before it was reported or ended, where its start is not reported', () => {
    const undated = { created: null, minutes: 120, reportedAt: later }
    expect(lifetime(undated)).toEqual({ from: later - 7_200, until: null, over: false })
    const ended = { ...undated, status: 'terminated', terminated: created }
    expect(lifetime(ended)).toEqual({ from: created - 7_200, until: created, over: true })
    expect(lifetime({ ...undated, minutes: null }).from).toBeNull()
  })

  it('may have been no time at all', () => {
    expect(lifetime({ terminated: created, status: 'terminated' })).toEqual({
      from: created,
      until: created,
      over: true,
    })
  })
})

describe('usage of the wire', () => {
  it('keeps the fee as it was written', () => {
    const entry = { id: 'u', resource: { id: 'm', name: 'n', type: 'vm' }, per_minute_fee: 4.1e-7 }
    expect(usageRecord(entry, later)).toMatchObject({
      fee: 410_000_000n,
      name: 'n',
      life: null,
      created: null,
    })
    expect(usageRecord({ ...entry, per_minute_fee: null }, later).fee).toBeNull()
    expect(usageRecord({ ...entry, currency: 'eur' }, later).currency).toBe('EUR')
  })

  it.each([created * 1000, created])('begins at the same second if its start is reported as %d', (time) => {
    const entry = Usage.parse({ id: 'u', resource: { id: 'm' }, created_time: time })
    expect(usageRecord(entry, later).created).toBe(created)
  })

  it.each([null, 0, undefined])('has an unknown start if that is reported as %j', (time) => {
    const entry = Usage.parse({ id: 'u', resource: { id: 'm' }, created_time: time })
    expect(usageRecord(entry, later).created).toBeNull()
  })
})

describe('stored usage merged with live usage', () => {
  const kept = usage({ created, reportedAt: later, life: 5 })
  const now = later + 600

  it('is taken from the later word', () => {
    const latest = usage({ created, reportedAt: now, life: 9 })
    expect(mergeUsage([kept], { records: [latest], asOf: now, complete: true }, now)).toEqual([latest])
    const older = { records: [usage({ created, reportedAt: later - 1 })], asOf: later - 1, complete: true }
    expect(mergeUsage([kept], older, now)).toEqual([kept])
  })

  it('is not taken from the future by a clock that was set back', () => {
    const ahead = usage({ created, reportedAt: now + 86_400, life: 5 })
    const latest = usage({ created, reportedAt: now - 60, life: 9 })
    expect(mergeUsage([ahead], { records: [latest], asOf: now - 60, complete: true }, now)).toEqual([latest])
    const [missing] = mergeUsage([ahead], { records: [], asOf: now - 60, complete: true }, now)
    expect(missing).toMatchObject({ status: 'terminated', terminated: now - 60, missed: true })
  })

  it('holds what has begun since', () => {
    const fresh = usage({ id: 'other', resource: 'other', reportedAt: now })
    expect(mergeUsage([], { records: [fresh], asOf: now, complete: true }, now)).toEqual([fresh])
  })

  it('leaves what is over as it is', () => {
    const over = usage({ created, status: 'terminated', terminated: later, reportedAt: later })
    const active = usage({ created, reportedAt: now })
    expect(mergeUsage([over], { records: [active], asOf: now, complete: true }, now)).toEqual([over])
  })

  it('has ended where it is missing among all that is active', () => {
    const [missing] = mergeUsage([kept], { records: [], asOf: now, complete: true }, now)
    expect(missing).toMatchObject({ status: 'terminated', terminated: later, missed: true })
    expect(mergeUsage([kept], { records: [], asOf: now, complete: false }, now)).toEqual([kept])
  })
})
