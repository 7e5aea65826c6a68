import { expect, it } from 'vitest'
import type { Answer } from '#shared/bridge/index'
import { answers, openShell } from '../../../test/fixtures/command-line'

/** A shell whose catalog reports these stocks of one flavor, one after another; `offline`: a failed reading. */
async function openStock(...stocks: readonly (boolean | null | 'offline')[]) {
  const left = [...stocks]
  return openShell({
    answer: (name): Promise<Answer> => {
      const stock = name === 'catalog.flavors' ? left.shift() : undefined
      if (name !== 'catalog.flavors') return Promise.resolve({ ok: true, value: answers[name] })
      if (stock === 'offline') return Promise.resolve({ ok: false, failure: { kind: 'offline' } })
      const flavor = {
        id: 'f1',
        name: 'h100.1x',
        region: { id: 'o', name: 'Oslo' },
        price: null,
        cpu: null,
        ram: null,
        disk: null,
        ephemeral: null,
        gpu: null,
        gpuCount: null,
        bandwidth: null,
        inStock: stock,
        cycle: null,
      }
      return Promise.resolve({ ok: true, value: { items: [flavor], asOf: 1, currencyAssumed: false } })
    },
  })
}

it('waits until the flavor is back, through a lost connection', async () => {
  const { run, output, errors, calls } = await openStock(false, false, 'offline', true)
  expect(await run('watch', 'h100.1x', '--json')).toBe(0)
  expect(output).toEqual(['{"version":1,"flavor":"h100.1x","regions":["Oslo"]}'])
  expect(errors[0]).toContain('Waiting until h100.1x is in stock')
  expect(errors).toHaveLength(2)
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(['accounts.list', 'catalog.flavors']))
})

it('ends if the flavor or region is unknown, or no stock is reported', async () => {
  expect(await (await openStock(true)).run('watch', 'a100.1x')).toBe(5)
  expect(await (await openStock(true)).run('watch', 'h100.1x', '--region', 'Dallas')).toBe(5)
  expect(await (await openStock(null)).run('watch', 'h100.1x')).toBe(1)
})
