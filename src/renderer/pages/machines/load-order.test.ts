// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h, type Ref, shallowRef } from 'vue'
import type { Sorting } from '../../components/rows'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { useLoadOrder } from './load-order'
import type { MachineColumn } from './machine-rows'
import { machineNamed } from './machine.fixture'

let window: Mounted
afterEach(() => window.unmount())

/** Mounts a list of two running machines and a stopped one, sorted by name, with the CPU loads of `percent`. */
async function open(percent: ReadonlyMap<string, number>) {
  const sorting: Ref<Sorting<MachineColumn>> = shallowRef({ key: 'name', descending: false })
  const asked: string[] = []
  const machines = [machineNamed('a'), machineNamed('b'), machineNamed('off', { status: 'stopped' })]
  let order: Readonly<Ref<ReadonlyMap<string, number>>> = shallowRef(new Map<string, number>())
  const List = defineComponent(() => {
    order = useLoadOrder(shallowRef(account), () => machines, sorting)
    return () => null
  })
  window = await mounted(() => h(List), {
    'metrics.load': ({ machine }) => {
      asked.push(machine)
      return { asOf: 1, cpu: Float64Array.of(1), now: percent.get(machine) ?? null }
    },
    'gpu.state': () => {
      throw new Error('no GPUs')
    },
  })
  const sortBy = async (key: MachineColumn, descending = false) => {
    sorting.value = { key, descending }
    await window.settled()
    await window.settled()
  }
  return { asked, sortBy, loads: () => [...order.value] }
}

it('the load of running machines is read when the list is sorted by load', async () => {
  const { asked, sortBy, loads } = await open(new Map([['a', 12]]))
  expect([asked, loads()]).toEqual([[], []])
  await sortBy('load')
  // An unknown load is not sorted as 0 %.
  expect([asked, loads()]).toEqual([['a', 'b'], [['a', 12]]])
})

it('the order stays until the user sorts again', async () => {
  const percent = new Map([
    ['a', 12],
    ['b', 80],
  ])
  const { sortBy, loads } = await open(percent)
  await sortBy('load')
  percent.set('a', 99)
  expect(loads()).toEqual([
    ['a', 12],
    ['b', 80],
  ])
  await sortBy('load', true)
  expect(loads()).toEqual([
    ['a', 99],
    ['b', 80],
  ])
})

it('no load is read after the list is closed', async () => {
  const { asked, sortBy } = await open(new Map())
  window.unmount()
  await sortBy('load')
  expect(asked).toEqual([])
})
