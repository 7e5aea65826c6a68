import { describe, expect, it } from 'vitest'
import { Machine } from '#shared/service/machine'
import { compiledWhenUsed } from './compiled-schema'

describe('a schema that is compiled after some use', () => {
  it('returns the same results and errors before and after', () => {
    const schema = compiledWhenUsed(Machine)
    const records: readonly unknown[] = [
      { id: 'a', name: 'train', status: null, started_time: 1e18, flavor: { gpu: 'H100', beyond: [1] } },
      { id: 'b', name: 'lab', login: { password: 'p' }, labels: { team: 'vision' }, started_time: 1 },
      JSON.parse('{"id": "c", "name": "odd", "__proto__": {"status": "running"}}'),
      { id: '', name: 'without an id' },
      { id: 'd', name: 5, started_time: 'today', flavor: { gpu_count: '1' } },
      null,
    ]
    const plain = records.map((record) => Machine.safeParse(record))
    const read = () => records.map((record) => schema.safeParse(record))
    expect(read()).toEqual(plain)
    for (let round = 0; round < 200; round += 1) read()
    expect(read()).toEqual(plain)
    expect(plain.map(({ success }) => success)).toEqual([true, true, true, false, true, false])
  })
})
