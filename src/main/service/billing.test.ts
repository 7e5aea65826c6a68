import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { must, refusal, useSandboxClient } from '../../../test/fixtures/service-client'

const client = useSandboxClient(12)

const day = 86_400

describe('statements', () => {
  it('come in pages with a total, hundreds of them, over 90 days and more', async () => {
    const whole = await client.service.billing.statements({ limit: 1_000 })
    expect(whole.total).toBeGreaterThan(300)
    const second = await client.service.billing.statements({ limit: 5, offset: 5 })
    // Amounts may have grown since.
    const ids = (items: typeof whole.items) => items.map(({ id }) => id)
    expect(ids(second.items)).toEqual(ids(whole.items.slice(5, 10)))
    const oldest = await client.service.billing.statements({
      limit: 1,
      sortField: 'started_time',
      sortOrder: 'asc',
    })
    expect(must(oldest.items[0]).started_time).toBeLessThan(Date.now() / 1000 - 90 * day)
    for (const { due_time, started_time, amount } of whole.items) {
      expect(due_time).toBeGreaterThan(started_time)
      expect(amount).toBeGreaterThanOrEqual(0)
    }
  })

  it('can be filtered by resource and by amount', async () => {
    const { items } = await client.service.billing.statements({
      limit: 1_000,
      filters: [
        { key: 'resource_type', op: 'eq', val: 'volume' },
        { key: 'amount', op: 'gt', val: 0.01 },
      ],
    })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ resource_type, amount }) => resource_type === 'volume' && amount > 0.01)).toBe(true)
  })

  it('add up to the usage, to the cent', async () => {
    const { items } = await client.service.billing.usage({
      limit: 1,
      filters: [{ key: 'status', op: 'eq', val: 'terminated' }],
    })
    const usage = must(items[0])
    const statements = await client.service.billing.statements({
      limit: 1_000,
      filters: [{ key: 'resource_id', op: 'eq', val: usage.resource.id }],
    })
    const sum = statements.items.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBeCloseTo(must(usage.total_fee), 2)
  })
})

describe('usage', () => {
  it('reports machines and volumes, active and terminated, and its fee is rate times minutes to the cent', async () => {
    const { items, total } = await client.service.billing.usage({ limit: 1_000 })
    expect(total).toBe(items.length)
    expect(new Set(items.map(({ resource }) => resource.type))).toEqual(new Set(['vm', 'volume']))
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['active', 'terminated']))
    for (const { per_minute_fee, total_uptime, total_fee, status, terminated_time } of items) {
      expect(must(total_fee)).toBeCloseTo(must(per_minute_fee) * must(total_uptime), 2)
      expect(Boolean(terminated_time)).toBe(status === 'terminated')
    }
  })

  it('is filtered by nested fields and sorted by cost', async () => {
    const { items } = await client.service.billing.usage({
      limit: 1_000,
      sortField: 'total_fee',
      sortOrder: 'desc',
      filters: [
        { key: 'resource.type', op: 'eq', val: 'volume' },
        { key: 'status', op: 'eq', val: 'active' },
      ],
    })
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ resource, status }) => resource.type === 'volume' && status === 'active')).toBe(
      true,
    )
    const fees = items.map(({ total_fee }) => must(total_fee))
    expect(fees).toEqual([...fees].sort((left, right) => right - left))
  })
})

describe.each(['/billing/resources/statements', '/billing/resources/usage'])('%s', (path) => {
  it.each([
    ['limit', '1001', 'limit'],
    ['offset', 'x', 'offset'],
    ['sortField', 'colour', 'sortField'],
    ['sortOrder', 'down', 'sortOrder'],
    ['filters', 'x', 'filters'],
    ['filters', '[{"key":"colour","op":"eq","val":1}]', 'filters[0].key'],
  ])('refuses %s=%s', async (parameter, value, field) => {
    const attempt = client.http.get(path, z.unknown(), { query: { [parameter]: value } })
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })
})
