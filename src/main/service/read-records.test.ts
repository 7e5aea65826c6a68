import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Machine } from '#shared/service/machine'
import { maskedRecord } from './masked-record'
import { readRecords } from './read-records'

describe('the records of a list', () => {
  it('are validated one by one: an unreadable record does not affect the others', () => {
    const { items, unreadable } = readRecords(
      [{ id: 'a', name: 'a' }, { id: 'b', name: null }, { name: 'c' }, null, { id: 'd', name: 'd' }],
      z.looseObject({ id: z.string(), name: z.string() }),
    )
    expect(items.map(({ id }) => id)).toEqual(['a', 'd'])
    expect(unreadable).toEqual([
      { index: 1, id: 'b', text: '{"id":"b","name":null}' },
      { index: 2, id: null, text: '{"name":"c"}' },
      { index: 3, id: null, text: 'null' },
    ])
  })

  it('are empty if the service answers null; any other answer fails', () => {
    expect(readRecords(null, Machine)).toEqual({ items: [] })
    for (const data of [undefined, {}, 'none'])
      expect(() => readRecords(data, Machine)).toThrow('unexpected-answer')
  })
})

describe('the text of an unreadable record', () => {
  it('masks numbers that are secrets', () => {
    const record = { id: 'm', login: { password: 4_711_001 }, root_pw: 4_711_002, pin: 4_711_003, port: 22 }
    expect(maskedRecord(record)).not.toContain('4711')
    expect(maskedRecord({ token: { value: 4_711_004 } })).not.toContain('4711')
    expect(maskedRecord({ password: null, port: 22 })).toBe('{"password":null,"port":22}')
  })

  it('masks everything that may be a secret', () => {
    const record = {
      id: 'm',
      name: null,
      started_time: '2026-01-01',
      login: { username: 'root', password: 'hunter-1', ssh_key: { name: 'laptop' } },
      root_pw: 'hunter-2',
      user_data: ['hunter-3'],
      console_url: 'https://console.example.com/?token=hunter-4',
      name_of: { anything: { token: 'hunter-5' } },
      ports: [22, 443],
      ready: true,
    }
    const text = maskedRecord(record)
    expect(text).not.toContain('hunter')
    expect(JSON.parse(text)).toMatchObject({
      id: 'm',
      started_time: '2026-01-01',
      login: { username: 'root', password: '•••', ssh_key: { name: 'laptop' } },
      user_data: ['•••'],
      ports: [22, 443],
      ready: true,
    })
    expect(maskedRecord('hunter-6')).not.toContain('hunter')
  })

  it('has a maximum length', () => {
    expect(maskedRecord({ name: 'x'.repeat(100_000) }).length).toBeLessThan(5_000)
  })
})
