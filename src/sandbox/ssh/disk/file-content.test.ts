import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DiskError } from './disk-error'
import { createFileContent } from './file-content'
import { createQuota } from './quota'

const megabyte = 1024 * 1024
const offset = fc.integer({ min: 0, max: 200_000 })
const step = fc.oneof(
  fc.record({ write: offset, data: fc.uint8Array({ minLength: 1, maxLength: 70_000 }) }),
  fc.record({ resize: offset }),
)

describe('the content of a file', () => {
  it('contains the written and truncated bytes, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const content = createFileContent(createQuota(megabyte))
        let expected = Buffer.alloc(0)
        for (const next of steps) {
          const end =
            'resize' in next ? next.resize : Math.max(expected.length, next.write + next.data.length)
          const grown = Buffer.alloc(end)
          expected.copy(grown)
          expected = grown
          if ('resize' in next) content.resize(next.resize)
          else {
            expected.set(next.data, next.write)
            content.write(next.write, next.data)
          }
        }
        expect(content.size()).toBe(expected.length)
        expect(content.read(0, megabyte).equals(expected)).toBe(true)
      }),
    )
  })

  it('releases all its memory when it is emptied', () => {
    const quota = createQuota(megabyte)
    const content = createFileContent(quota)
    content.write(0, Buffer.alloc(100_000))
    content.write(500_000, Buffer.alloc(10))
    expect(quota.used()).toBeGreaterThan(100_000)
    content.resize(0)
    expect(quota.used()).toBe(0)
  })

  it('refuses bytes that do not fit, and keeps its content', () => {
    const quota = createQuota(64 * 1024)
    const content = createFileContent(quota)
    content.write(0, Buffer.from('kept'))
    expect(() => {
      content.write(0, Buffer.alloc(65 * 1024))
    }).toThrow(new DiskError('ENOSPC'))
    expect(content.read(0, 100).toString()).toBe('kept')
  })

  it.each([2 ** 40, 2 ** 64])('uses no memory for a hole of %d bytes', (far) => {
    const content = createFileContent(createQuota(megabyte))
    expect(() => {
      content.write(far, Buffer.from('x'))
    }).toThrow(DiskError)
    expect(content.read(far, 10)).toHaveLength(0)
  })
})
