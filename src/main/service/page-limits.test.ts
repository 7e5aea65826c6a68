import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { createPageLimits } from './page-limits'

const refusal = (status: number, field?: string): FailureError =>
  new FailureError({
    kind: 'refused-by-service',
    message: 'Validation failed',
    status,
    ...(field === undefined ? {} : { field }),
  })

/** A list that gives at most `most` records at once, and what it was asked for. */
const refusing = (most: number, error: FailureError) => {
  const asked: (number | undefined)[] = []
  return {
    asked,
    ask: async (limit: number | undefined) => {
      asked.push(limit)
      if (limit !== undefined && limit > most) throw error
      return limit
    },
  }
}

describe('a limit that the service refuses', () => {
  it.each([refusal(422, 'limit'), refusal(400), refusal(200)])(
    'gets a smaller next try, and what was accepted is remembered for the list',
    async (error) => {
      const limits = createPageLimits()
      const { ask, asked } = refusing(50, error)
      expect(await limits.ask('/virtual-machines', 1_000, ask)).toBe(50)
      expect(asked).toEqual([1_000, 500, 200, 100, 50])
      asked.length = 0
      expect(await limits.ask('/virtual-machines', 1_000, ask)).toBe(50)
      expect(await limits.ask('/virtual-machines', 7, ask)).toBe(7)
      expect(await limits.ask('/volumes', 20, ask)).toBe(20)
      expect(asked).toEqual([50, 7, 20])
    },
  )

  it('is shared by the lists whose ids are in the path', async () => {
    const limits = createPageLimits()
    const { ask } = refusing(50, refusal(422))
    await limits.ask('/virtual-machines/a/firewall-rules', 200, ask)
    expect(await limits.ask('/virtual-machines/b/firewall-rules', 200, ask)).toBe(50)
  })

  it.each([refusal(422, 'sortField'), refusal(404), refusal(500), new FailureError({ kind: 'offline' })])(
    'is not looked for where something else was refused',
    async (error) => {
      const limits = createPageLimits()
      const { ask, asked } = refusing(0, error)
      await expect(limits.ask('/volumes', 200, ask)).rejects.toBe(error)
      expect(asked).toEqual([200])
    },
  )

  it('is what the service said first where no limit is accepted', async () => {
    const limits = createPageLimits()
    const { ask, asked } = refusing(0, refusal(400))
    await expect(limits.ask('/volumes', 20, ask)).rejects.toMatchObject({ failure: { status: 400 } })
    expect(asked).toEqual([20, 10, 5, 1])
  })

  it('is not looked for where the list refuses a place past its end', async () => {
    const limits = createPageLimits()
    const asked: (number | undefined)[] = []
    const ask = (offset: number) =>
      limits.ask('/volumes', 200, async (limit) => {
        asked.push(limit)
        if (offset > 0) throw refusal(400)
      })
    await ask(0)
    await expect(ask(200)).rejects.toMatchObject({ failure: { status: 400 } })
    expect(asked).toEqual([200, 200])
  })
})
