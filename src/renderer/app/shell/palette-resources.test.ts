// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { common } from '#shared/messages/en/common'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine, now, world } from '../../../../test/gallery/world'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import { t } from '../../platform/i18n'
import AppFrame from './AppFrame.vue'
import './ShortcutsDialog.vue'
import CommandPalette from './CommandPalette.vue'

let window: Mounted
afterEach(() => window.unmount())

const status = { asOf: now, reading: false, total: 2, failure: null }
const titles = () => window.all('[role=option] .title').map((title) => title.textContent)
async function open(recentCommands: readonly string[] = []) {
  const changes: unknown[] = []
  window = await mounted(() => h(CommandPalette), {
    'accounts.select': () => undefined,
    'settings.read': () => ({ ...world['settings.read'](), recentCommands: [...recentCommands] }),
    'settings.change': (changed) => {
      changes.push(changed)
      return { ...world['settings.read'](), recentCommands: changed.recentCommands }
    },
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      status: { ...status, listed: true },
      volumes:
        input.account === account
          ? [
              volumeNamed('loose-disk', { attachment: { kind: 'detached' } }),
              volumeNamed('held-disk', { attachment: { kind: 'attached', machine: 'm-off' } }),
            ]
          : [],
    }),
    'bareMetal.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      status,
      instances:
        input.account === account
          ? [{ ...machine({ id: 'b-1', name: 'metal' }), origin: 'added', knownSince: 1, presence: 'there' }]
          : [],
    }),
  })
  return changes
}

it.each([
  ['loose-disk', ['Attach loose-disk', 'Delete loose-disk', 'Copy ID of loose-disk'], 'Detach loose-disk'],
  ['held-disk', ['Detach held-disk', 'Copy ID of held-disk'], 'Delete held-disk'],
  ['metal', ['Remove metal from the list', 'Copy address of metal', 'Copy ID of metal'], 'Delete metal'],
])('offers what can be done with %s', async (query, offered, notOffered) => {
  await open()
  await window.type(window.find('[role=combobox]'), query)
  expect(titles()).toEqual(expect.arrayContaining(offered))
  expect(titles()).not.toContain(notOffered)
})

it('leads to the question for the action', async () => {
  await open()
  await window.type(window.find('[role=combobox]'), 'delete loose')
  await window.press(window.find('[role=combobox]'), 'Enter')
  await window.settled()
  const { name, params, query } = window.router.currentRoute.value
  expect([name, params, query]).toEqual(['volumes', { volume: expect.any(String) }, { act: 'delete' }])
})

it('keeps what was run last over a restart, by ids alone', async () => {
  const changes = await open([`machine/${account}/m-off`])
  expect(titles()[0]).toBe('archive')
  await window.type(window.find('[role=combobox]'), 'notebook')
  await window.press(window.find('[role=combobox]'), 'Enter')
  expect(changes).toEqual([{ recentCommands: [`machine/${account}/m-idle`, `machine/${account}/m-off`] }])
})

it('holds what was typed before it was loaded', async () => {
  window = await mounted(() => h(AppFrame))
  const press = (key: string, more: KeyboardEventInit = {}) =>
    window.find('#page').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }))
  press('k', { ctrlKey: true })
  for (const key of 'idle') press(key)
  await window.settled()
  const input = window.find('[role=combobox]')
  expect(input instanceof HTMLInputElement && input.value).toBe('idle')
})

it.each([
  ['proxy', 'networkAccess.title'],
  ['sign out', 'settings.accounts.title'],
  ['export', 'billing.views.costs'],
  ['help', 'common.guide.title'],
  ['keyboard', 'common.shortcuts.title'],
] as const)('finds by %j first: %s', async (query, title) => {
  await open()
  await window.type(window.find('[role=combobox]'), query)
  expect(titles()[0]).toBe(t(title))
})

it('shows every shortcut from the palette too', async () => {
  window = await mounted(() => h(AppFrame))
  await window.press(window.find('#page'), 'k', { ctrlKey: true })
  await window.settled()
  await window.type(window.find('[role=combobox]'), 'shortcuts')
  await window.press(window.find('[role=combobox]'), 'Enter')
  await window.settled()
  expect(window.find('dialog').textContent).toContain(t('common.shortcuts.keys.zoom'))
})

it('gives the focus to the page where one lands when what had it is gone', async () => {
  window = await mounted(() => h(AppFrame))
  const before = document.body.appendChild(document.createElement('button'))
  before.focus()
  await window.router.push({ name: 'billing' })
  await window.settled()
  expect(document.activeElement).toBe(before)
  before.remove()
  await window.router.push({ name: 'machines' })
  await window.settled()
  expect(document.activeElement).toBe(window.find('#page'))
})

it('shows every shortcut with ?, in a dialog that gives the focus back', async () => {
  window = await mounted(() => h(AppFrame))
  const page = window.find('#page')
  page.focus()
  await window.press(page, '?')
  await window.settled()
  const dialog = window.find('dialog')
  expect(dialog.textContent).toContain(t('common.shortcuts.title'))
  expect([...dialog.querySelectorAll('dt')].map((one) => one.textContent)).toEqual(
    Object.values(common.shortcuts.keys),
  )
  await window.press(dialog, 'Escape')
  expect(window.all('dialog')).toEqual([])
  expect(document.activeElement).toBe(page)
})
