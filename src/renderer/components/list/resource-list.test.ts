// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { ListViews } from '#shared/bridge/list-view'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, sandboxAccount } from '../../../../test/gallery/world'
import MachinesPage from '../../pages/machines/MachinesPage.vue'
import '../../pages/machines/panel/MachinePanel.vue'
import { useAccounts } from '../../stores/accounts'

let window: Mounted
afterEach(() => window.unmount())

const left = {
  filter: 'a',
  sorting: { key: 'name', descending: true },
  selected: ['m-idle', 'm-gone'],
  opened: 'm-idle',
  tab: 'notes',
  scroll: { grid: 'Machines', top: 12 },
}
const isShown = ref(false)
/** Opens the list of machines with the views that main stored. */
async function open(views: ListViews, machine = ''): Promise<void> {
  isShown.value = false
  window = await mounted(() => (isShown.value ? h(MachinesPage) : null), {
    'listViews.read': ({ account: id }) => (id === account ? views : {}),
    'accounts.select': () => undefined,
  })
  await window.router.push({ name: 'machines', params: { machine } })
  isShown.value = true
  await window.settled()
}
/** How the list looks: filter, direction by name, selected rows, opened row, tab. */
function look() {
  const fields = window.all('.toolbar input')
  const [filter] = fields.flatMap((field) => (field instanceof HTMLInputElement ? [field.value] : []))
  return {
    filter,
    sorting: window.all('[role=columnheader].first')[0]?.getAttribute('aria-sort'),
    selected: window.all('[role=row][aria-selected=true]').length,
    opened: window.router.currentRoute.value.params.machine,
    tab: window.all('[role=tab][aria-selected=true]').map(({ id }) => id.replace(/^.*-/, ''))[0],
    top: window.all('[role=grid]')[0]?.scrollTop,
  }
}
/** Fields that were sent to main, in order. */
const stored = () =>
  window.main.calls.flatMap(([name, input]) =>
    name === 'listViews.change' && typeof input === 'object' && input !== null && 'view' in input
      ? [input.view]
      : [],
  )
const plain = { filter: '', sorting: 'ascending', selected: 0, opened: '', tab: undefined, top: 0 }

it('a list looks as the user left it, without rows that no longer exist', async () => {
  await open({ machines: left })
  const restored = {
    filter: 'a',
    sorting: 'descending',
    selected: 1,
    opened: 'm-idle',
    tab: 'notes',
    top: 12,
  }
  await expect.poll(look).toEqual(restored)
  isShown.value = false
  await window.router.push({ name: 'overview' })
  await window.router.push({ name: 'machines', params: { machine: '' } })
  isShown.value = true
  await expect.poll(look).toEqual(restored)
  dispatchEvent(new Event('beforeunload'))
  expect(stored()).toContainEqual(expect.objectContaining({ selected: ['m-idle'] }))
})

it('values that do not exist any more are ignored', async () => {
  await open({
    machines: {
      filter: 3,
      sorting: { key: 'colour', descending: true },
      selected: ['m-gone'],
      opened: 'm-gone',
      tab: 'x',
      group: 'gone',
    },
  })
  expect(look()).toEqual(plain)
})

it('a link opens its row instead of the remembered one, in the remembered tab', async () => {
  await open({ machines: left }, 'm-train')
  await expect.poll(look).toMatchObject({ opened: 'm-train', tab: 'notes' })
  await window.router.push({ name: 'machines', params: { machine: '' } })
  await window.settled()
  expect(look()).toMatchObject({ opened: '' })
})

it('each account has its own view', async () => {
  await open({ machines: left })
  await useAccounts().select(sandboxAccount.id)
  await window.settled()
  await useAccounts().select(account)
  await expect
    .poll(look)
    .toMatchObject({ filter: 'a', sorting: 'descending', opened: 'm-idle', tab: 'notes' })
})

it('views that load later do not replace later changes of the user', async () => {
  await open({})
  expect(look()).toEqual(plain)
  const [filter] = window.all('.toolbar input')
  await window.type(filter ?? expect.fail(), 'train')
  window.main.emit('listViews.loaded', { account, views: { machines: left } })
  await window.settled()
  expect(look()).toMatchObject({ filter: 'train', sorting: 'descending' })
  document.dispatchEvent(new Event('visibilitychange'))
  expect(stored()).toContainEqual(expect.objectContaining({ filter: 'train' }))
})
