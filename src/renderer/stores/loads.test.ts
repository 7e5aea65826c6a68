import { nextTick } from 'vue'
import { expect, it } from 'vitest'
import { accountNamed, mainProcess } from './stores.fixture'

const account = 'a1b2c3d4e5f6'

it('machines in view are read at once, and again on each change until they leave the view', async () => {
  const looks: unknown[] = []
  const asked: string[] = []
  const main = mainProcess({
    'accounts.list': () => ({ accounts: [accountNamed(account)], selected: account }),
    'metrics.lookLoads': (input) => void looks.push(input),
    'metrics.load': ({ machine }: { machine: string }) => {
      asked.push(machine)
      return { asOf: 1, cpu: Float64Array.of(asked.length), now: asked.length }
    },
    'gpu.state': () => ({ consent: false, at: null }),
  })
  const { useAccounts } = await import('./accounts')
  await useAccounts().start()
  const { useLoads } = await import('./loads')
  const loads = useLoads()
  const leaves = ['b', 'a'].map((machine) => loads.look(account, machine))
  await expect.poll(() => loads.of(account, 'a')?.cpu?.now).toBe(2)
  expect(looks).toEqual([{ account, machines: ['a', 'b'], looking: true }])
  main.push('metrics.loadsChanged', { account, machines: ['a', 'b'] })
  await expect.poll(() => loads.of(account, 'b')?.cpu?.now).toBe(4)
  expect(asked).toEqual(['b', 'a', 'a', 'b'])
  leaves.forEach((leave) => leave())
  await nextTick()
  expect(looks.slice(1)).toEqual([{ account, machines: ['a', 'b'], looking: false }])
})
