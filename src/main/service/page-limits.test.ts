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

/** A list that returns at most `most` records at once, and the limits that were requested. */
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
    'is reduced, and the accepted limit is remembered for the list',
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

  it('is shared by lists that differ only in the id of their path', async () => {
    const limits = createPageLimits()
    const { ask } = refusing(50, refusal(422))
    await limits.ask('/virtual-machines/a/firewall-rules', 200, ask)
    expect(await limits.ask('/virtual-machines/b/firewall-rules', 200, ask)).toBe(50)
  })

  it.each([refusal(422, 'sortField'), refusal(404), refusal(500), new FailureError({ kind: 'offline' })])(
    'stays if something else was refused',
    async (error) => {
      const limits = createPageLimits()
      const { ask, asked } = refusing(0, error)
      await expect(limits.ask('/volumes', 200, ask)).rejects.toBe(error)
      expect(asked).toEqual([200])
    },
  )

  it('fails as at first if no limit is accepted', async () => {
    const limits = createPageLimits()
    const { ask, asked } = refusing(0, refusal(400))
    await expect(limits.ask('/volumes', 20, ask)).rejects.toMatchObject({ failure: { status: 400 } })
    expect(asked).toEqual([20, 10, 5, 1])
  })

  it('stays if the list refuses an offset past its end', async () => {
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

describe('a limit above the usual at which the service fails', () => {
  const badGateway = new FailureError({
    kind: 'unexpected-answer',
    expected: 'a JSON answer',
    received: 'HTTP 504, text/html',
    status: 504,
  })
  const timedOut = new FailureError({ kind: 'timed-out', host: 'cloud.example', seconds: 30 })

  it.each([refusal(500), badGateway, timedOut])(
    'falls back to the usual limit, which is remembered for the list',
    async (error) => {
      const limits = createPageLimits()
      const { ask, asked } = refusing(200, error)
      expect(await limits.ask('/billing/statements', 1_000, ask)).toBe(200)
      expect(await limits.ask('/billing/statements', 1_000, ask)).toBe(200)
      expect(asked).toEqual([1_000, 200, 200])
    },
  )

  it('falls back even if the list answered this limit before, as later pages may be slower', async () => {
    const limits = createPageLimits()
    let asked = 0
    const read = (most: number) =>
      limits.ask('/billing/statements', 1_000, async (limit) => {
        asked += 1
        if (limit !== undefined && limit > most) throw timedOut
        return limit
      })
    expect([await read(1_000), await read(200), await read(200), asked]).toEqual([1_000, 200, 200, 4])
  })

  it('is requested again if the service fails at any limit', async () => {
    const limits = createPageLimits()
    const { ask, asked } = refusing(0, refusal(502))
    await expect(limits.ask('/billing/statements', 1_000, ask)).rejects.toMatchObject({
      failure: { status: 502 },
    })
    expect(await limits.ask('/billing/statements', 1_000, refusing(1_000, refusal(502)).ask)).toBe(1_000)
    expect(asked).toEqual([1_000, 200])
  })

  it('falls further if the usual limit is refused', async () => {
    const limits = createPageLimits()
    const asked: (number | undefined)[] = []
    const answer = limits.ask('/billing/statements', 1_000, async (limit = 0) => {
      asked.push(limit)
      if (limit > 200) throw refusal(500)
      if (limit > 50) throw refusal(422)
      return limit
    })
    expect(await answer).toBe(50)
    expect(asked).toEqual([1_000, 200, 100, 50])
  })

  it.each([refusal(501), refusal(404), new FailureError({ kind: 'rate-limited' })])(
    'is the only one tried if the failure has another cause',
    async (error) => {
      const { ask, asked } = refusing(0, error)
      await expect(createPageLimits().ask('/billing/statements', 1_000, ask)).rejects.toBe(error)
      expect(asked).toEqual([1_000])
    },
  )
})
