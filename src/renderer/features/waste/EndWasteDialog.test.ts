// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { WasteItem } from '#shared/bridge/waste'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import {
  account,
  accountView,
  alerts,
  machines,
  sandboxAccount,
  usd,
  wasteItem,
  wasteView,
} from '../../../../test/gallery/world'
import AlertPanel from '../../app/shell/AlertPanel.vue'
import { t } from '../../platform/i18n'
import { useWaste } from '../../stores/waste'
import AlertList from '../alerts/AlertList.vue'
import { volumeNamed } from '../volumes/volume.fixture'
import EndWasteDialog from './EndWasteDialog.vue'
import WasteCard from './WasteCard.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

/** Mounts the waste cards of the overview with their dialog. */
const open = (items: readonly WasteItem[], sandboxItems: readonly WasteItem[] = []) =>
  mounted(
    () => {
      const waste = useWaste()
      return [
        ...waste.groups.map((group) => h(WasteCard, { group })),
        waste.asked.length > 0 &&
          h(EndWasteDialog, { items: waste.asked, key: waste.asked.map(({ id }) => id).join() }),
      ]
    },
    {
      'waste.list': (input) => wasteView(input.account === account ? items : sandboxItems, input.account),
      'volumes.snapshot': (input) => ({
        account: input.account,
        revision: 1,
        volumes: input.account === account ? [volumeNamed('backup')] : [],
        status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
      }),
      'volumes.delete': () => ({ kind: 'done' }),
      'machine.delete': () => ({ kind: 'done' }),
      'clipboard.write': () => undefined,
    },
  )
const headings = () => window.all('h2').map((one) => one.textContent.trim())

describe('the waste card', () => {
  it('shows the total cost without the sandbox', async () => {
    const changes = { perHour: usd(5.6), perMonth: usd(4_032), soFar: usd(2_090) }
    window = await open([wasteItem('a', changes), wasteItem('b', changes)], [wasteItem('c')])
    expect(headings()).toEqual([
      'Waste: 11.20 USD/h, 4,180.00 USD so far',
      'Waste: 0.42 USD/h, 884.10 USD so far',
    ])
    expect(window.all('section').map((one) => one.getAttribute('aria-label'))).toEqual([
      t('waste.inList'),
      t('waste.sandbox'),
    ])
    expect(sandboxAccount.sandbox).toBe(true)
  })

  it('separates currencies, and does not show unknown costs as 0.00', async () => {
    const euro = { currency: 'EUR', millionths: 3_000_000 }
    window = await open([
      wasteItem('a'),
      wasteItem('b', { perHour: euro, perMonth: euro, soFar: null }),
      wasteItem('c', { perHour: null, perMonth: null, soFar: null }),
    ])
    expect(headings()).toEqual(['Waste: 3.00 EUR/h + 0.42 USD/h, 884.10 USD so far'])
    expect(window.text()).toContain(t('waste.priceUnknown'))
    expect(window.text()).not.toMatch(/\b0\.00/)
  })

  it('asks for the name and deletes the resource', async () => {
    window = await open([wasteItem('backup', { name: 'backup' })])
    await window.click('Delete… saves 0.42 USD/h: backup')
    await window.submit()
    expect(calls('volumes.delete')).toEqual([])
    await window.type(window.find('dialog input'), 'backup')
    await window.submit()
    expect(calls('volumes.delete')).toEqual([{ account, volume: 'backup', name: 'backup' }])
    expect(window.all('dialog')).toEqual([])
  })

  it('announces that a volume is detached before it is deleted', async () => {
    const reason = { kind: 'of-stopped', machine: 'm-off', name: 'archive' } as const
    window = await open([wasteItem('backup', { end: 'detach-and-delete', reason })])
    await window.click(window.named(/^Delete…/))
    expect(window.text()).toContain(t('volumes.delete.detachFirst', { machine: 'archive' }))
    await window.type(window.find('dialog input'), 'backup')
    await window.submit()
    expect(calls('volumes.delete')).toEqual([
      { account, volume: 'backup', name: 'backup', detachFrom: 'm-off' },
    ])
  })

  it('deletes a stopped machine', async () => {
    const name = machines.find(({ id }) => id === 'm-off')?.name ?? ''
    const reason = { kind: 'stopped', status: 'stopped' } as const
    window = await open([wasteItem('m-off', { name, end: 'delete-machine', reason })])
    await window.click(window.named(/^Delete…/))
    await window.type(window.find('dialog input'), name)
    await window.submit()
    expect(calls('machine.delete')).toEqual([{ account, machine: 'm-off', name }])
  })

  it('deletes several resources after a look and their number, volumes before the machine they are attached to', async () => {
    const name = machines.find(({ id }) => id === 'm-off')?.name ?? ''
    window = await open([
      wasteItem('m-off', { name, end: 'delete-machine', reason: { kind: 'stopped', status: 'stopped' } }),
      wasteItem('backup', {
        end: 'detach-and-delete',
        reason: { kind: 'of-stopped', machine: 'm-off', name },
      }),
      wasteItem('kept', { end: 'elsewhere' }),
    ])
    await window.click(t('waste.several.choose'))
    expect(window.all('li input')).toHaveLength(2)
    expect(window.named(t('waste.several.nothing'))).toHaveProperty('disabled', true)
    await window.click(t('common.selection.all'))
    await window.click('Delete 2 resources')
    expect(window.text()).toContain(t('waste.several.detachFirst'))
    expect(window.text()).toContain(t('lastLook.title.delete'))
    await window.submit()
    expect(calls('machine.delete')).toEqual([])
    await window.type(window.find('dialog .field input, dialog input'), '2')
    await window.submit()
    expect(window.main.calls.map(([called]) => called).filter((call) => call.endsWith('.delete'))).toEqual([
      'volumes.delete',
      'machine.delete',
    ])
    expect(calls('volumes.delete')).toEqual([
      { account, volume: 'backup', name: 'backup', detachFrom: 'm-off' },
    ])
    expect(calls('machine.delete')).toEqual([{ account, machine: 'm-off', name }])
    expect(window.all('dialog .done')).toHaveLength(2)
  })

  it('counts a resource once that is charged in two currencies, and asks for its name', async () => {
    const euro = { currency: 'EUR', millionths: 3_000_000 }
    window = await open([wasteItem('backup'), wasteItem('backup', { perHour: euro }), wasteItem('other')])
    await window.click(t('waste.several.choose'))
    await window.click(window.find('[aria-label="Select backup"]'))
    expect(window.all('li input:checked')).toHaveLength(2)
    await window.click('Delete 1 resource')
    expect(window.find('dialog h2').textContent).toContain('backup')
  })

  it('deletes one selected resource by its name, and deselects what has gone', async () => {
    window = await open([wasteItem('backup'), wasteItem('gone'), wasteItem('other')])
    await window.click(t('waste.several.choose'))
    await window.click(window.find('[aria-label="Select gone"]'))
    window.main.emit('waste.changed', wasteView([wasteItem('backup'), wasteItem('other')]))
    await window.settled()
    expect(window.text()).toContain(t('common.selection.count', { count: 0 }))
    await window.click(window.find('[aria-label="Select backup"]'))
    await window.click('Delete 1 resource')
    await window.type(window.find('dialog input'), 'backup')
    await window.submit()
    expect(calls('volumes.delete')).toEqual([{ account, volume: 'backup', name: 'backup' }])
  })

  it('lists resources that were not measured apart, without a way to delete them', async () => {
    window = await open([
      wasteItem('vm-1', { name: 'metal', reason: { kind: 'bare-metal' } }),
      wasteItem('vm-2', { name: 'quiet', end: 'delete-machine', reason: { kind: 'cpu-idle', since: 0 } }),
    ])
    expect(window.text()).toContain(t('waste.none'))
    expect(window.text()).toContain(t('waste.unchecked', { count: 2 }))
    const names = ['metal', 'quiet'].map((name) => t('waste.checkNamed', { name }))
    for (const name of names) expect(window.find(`button[aria-label="${name}"]`)).toBeTruthy()
    expect(window.all('section button').some((one) => one.textContent.includes('Delete'))).toBe(false)
    expect(window.all('section input')).toEqual([])
  })

  it('offers the ID if the service has no call to end the cost', async () => {
    window = await open([
      wasteItem('vm-1', { name: texts.html, end: 'elsewhere', reason: { kind: 'unlisted', type: 'vm' } }),
    ])
    expect(window.text()).toContain(t('waste.elsewhere'))
    expect(window.all('section button').some((one) => one.textContent.includes('Delete'))).toBe(false)
    expect(window.all('section img, section b')).toEqual([])
    await window.click(t('common.actions.copyNamed', { what: t('waste.id', { name: texts.html }) }))
    expect(calls('clipboard.write')).toEqual([{ text: 'vm-1' }])
  })

  it('shows an unlisted resource by its ID with its costs', async () => {
    const cost = { perHour: usd(1.5), perMonth: usd(1_080), soFar: usd(320) }
    window = await open([
      wasteItem('vm-9', {
        name: 'vm-9',
        end: 'elsewhere',
        reason: { kind: 'unlisted', type: 'vm' },
        ...cost,
      }),
    ])
    const text = window.text()
    for (const said of ['vm-9', t('waste.reason.unlisted'), '1.50 USD', '1,080.00 USD', '320.00 USD'])
      expect(text).toContain(said)
    const copyId = t('common.actions.copyNamed', { what: t('waste.id', { name: 'vm-9' }) })
    expect(window.all('.end button')).toEqual([window.named(copyId)])
  })

  it('reports that the resource has left its list', async () => {
    window = await open([wasteItem('gone')])
    await window.click(window.find('.end button'))
    expect(window.all('dialog')).toEqual([])
    expect(window.text()).toContain(t('waste.gone', { name: 'gone' }))
  })

  it('moves the focus to the next row, or the last row, if the focused row is deleted', async () => {
    const items = ['a', 'b', 'c'].map((id) => wasteItem(id))
    window = await open(items)
    const leave = async (...ids: string[]) => {
      window.main.emit('waste.changed', wasteView(items.filter(({ id }) => !ids.includes(id))))
      await window.settled()
    }
    const focused = () => document.activeElement?.getAttribute('aria-label')
    window.all('.end button').at(1)?.focus()
    await leave('b')
    expect(focused()).toMatch(/: c$/)
    await leave('b', 'c')
    expect(focused()).toMatch(/: a$/)
  })

  it('lists the most expensive first, and all on request', async () => {
    window = await open(
      Array.from({ length: 12 }, (_, at) => wasteItem(`v-${String(at)}`, { perHour: usd(at + 1) })),
    )
    const names = () => window.all('section li .name').map((one) => one.textContent.trim())
    expect(names()).toEqual(['v-11', 'v-10', 'v-9', 'v-8', 'v-7'])
    await window.click(t('waste.all', { count: 12 }))
    expect(names()).toHaveLength(12)
  })
})

describe('the waste card while loading', () => {
  const view = (changes: object) => ({ ...wasteView([]), ...changes })
  const openCard = (changes: object, state: 'signed-in' | 'signed-out' = 'signed-in') =>
    mounted(() => [...useWaste().groups.map((group) => h(WasteCard, { group })), h(AlertList)], {
      'waste.list': (input) => ({ ...view(changes), account: input.account }),
      'alerts.list': () => [],
      'accounts.list': () => ({ accounts: [accountView({ state })], selected: account }),
    })

  it('reserves its space while loading, and after nothing was found', async () => {
    window = await openCard({ read: false })
    expect(headings()).toEqual([t('waste.checking')])
    expect(window.all('.shape')).toHaveLength(5)
    expect(window.text()).toContain(t('alerts.list.checking'))
    expect(window.text()).not.toContain(t('alerts.list.empty'))
    window.main.emit('waste.changed', view({}))
    await window.settled()
    expect(headings()).toEqual([t('waste.none')])
    expect(window.all('section > .reserved')).toHaveLength(1)
    expect(window.text()).toContain(t('alerts.list.empty'))
  })

  it('shows the failure instead of an empty list', async () => {
    window = await openCard({ read: false, failure: { kind: 'forbidden' } })
    expect(headings()).toEqual([t('waste.failed')])
    expect(window.find('[role=alert]').textContent).toContain('Access denied')
    expect(window.text()).toContain(t('alerts.list.failed'))
    expect(window.text()).not.toContain(t('alerts.list.empty'))
  })

  it('asks the user to sign in if nothing was read', async () => {
    window = await openCard({ read: false }, 'signed-out')
    expect(headings()).toEqual([])
    expect(window.text()).toContain(t('alerts.list.signed-out'))
    expect(window.text()).not.toContain(t('alerts.list.empty'))
  })

  it('takes no space if nothing is wasted', async () => {
    window = await openCard({})
    expect(headings()).toEqual([])
  })
})

describe('the alert list with waste', () => {
  const titles = () => window.all('li .title, li .name').map((one) => one.textContent.trim())

  it('sorts by money, urgent alerts first, with each resource once', async () => {
    window = await mounted(() => h(AlertPanel))
    const shown = titles()
    expect(shown.slice(0, 2).join()).toMatch(/Balance.*budget/)
    expect(shown.filter((title) => title.includes('notebook-anna'))).toHaveLength(1)
    expect(shown).toContain('archive')
    expect(shown).toHaveLength(alerts.length + 1)
    expect(window.text()).toContain('Waste: 9.02 USD/h')
  })

  it('leaves waste to the waste card on the overview', async () => {
    window = await mounted(() => h(AlertList))
    expect(titles()).toHaveLength(alerts.length - 1)
    expect(titles().join()).not.toContain('notebook-anna')
  })

  it('does not claim that nothing needs attention if there is waste', async () => {
    const idle = alerts.filter(({ cause }) => cause.kind === 'idle')
    window = await mounted(() => h(AlertList), { 'alerts.list': () => idle })
    expect(window.text()).not.toContain(t('alerts.list.empty'))
    expect(window.text()).toContain(t('alerts.list.others'))
  })
})
