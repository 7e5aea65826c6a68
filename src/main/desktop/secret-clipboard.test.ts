import { beforeEach, describe, expect, it } from 'vitest'
import { secretClipboard } from './secret-clipboard'

describe('a secret on the clipboard', () => {
  let held: string
  let rings: Map<number, () => void>
  let secrets: ReturnType<typeof secretClipboard>

  beforeEach(() => {
    held = ''
    rings = new Map()
    secrets = secretClipboard(
      {
        readText: () => held,
        writeText: (text) => {
          held = text
        },
      },
      (seconds, task) => {
        rings.set(seconds, task)
        return () => rings.delete(seconds)
      },
    )
  })

  it('is there at once and gone after 30 s', async () => {
    expect(secrets.copy('hunter2')).toEqual({ clearsAfter: 30 })
    expect(held).toBe('hunter2')
    rings.get(30)?.()
    await expect.poll(() => held).toBe('')
    expect(secrets.pending()).toBe(false)
  })

  it('leaves alone what the person copied since', async () => {
    secrets.copy('hunter2')
    held = 'something else'
    await secrets.clear()
    expect(held).toBe('something else')
  })

  it('gives the last of several secrets its whole time', () => {
    secrets.copy('first')
    const early = rings.get(30)
    secrets.copy('second')
    expect(rings.get(30)).not.toBe(early)
    expect(rings.size).toBe(1)
  })

  it('is cleared at once when the application quits', async () => {
    secrets.copy('hunter2')
    expect(secrets.pending()).toBe(true)
    await secrets.clear()
    expect(held).toBe('')
    expect(rings.size).toBe(0)
  })
})
