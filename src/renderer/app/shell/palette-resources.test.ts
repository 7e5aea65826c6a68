// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine, now, world } from '../../../../test/gallery/world'
import { volumeNamed } from '../../features/volumes/volume.fixture'
import { t } from '../../platform/i18n'
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
])('the actions on %s are offered', async (query, offered, notOffered) => {
  await open()
  await window.type(window.find('[role=combobox]'), query)
  expect(titles()).toEqual(expect.arrayContaining(offered))
  expect(titles()).not.toContain(notOffered)
})

it('an action opens its dialog on the page', async () => {
  await open()
  await window.type(window.find('[role=combobox]'), 'delete loose')
  await window.press(window.find('[role=combobox]'), 'Enter')
  await window.settled()
  const { name, params, query } = window.router.currentRoute.value
  expect([name, params, query]).toEqual(['volumes', { volume: expect.any(String) }, { act: 'delete' }])
})

it('recent commands are stored by id', async () => {
  const changes = await open([`machine/${account}/m-off`])
  expect(titles()[0]).toBe('archive')
  await window.type(window.find('[role=combobox]'), 'notebook')
  await window.press(window.find('[role=combobox]'), 'Enter')
  expect(changes).toEqual([{ recentCommands: [`machine/${account}/m-idle`, `machine/${account}/m-off`] }])
})

it.each([
  ['proxy', 'networkAccess.proxy.label'],
  ['sign out', 'settings.accounts.title'],
  ['export', 'billing.views.costs'],
  ['help', 'common.guide.title'],
  ['keyboard', 'common.shortcuts.title'],
] as const)('the first result for %j is %s', async (query, title) => {
  await open()
  await window.type(window.find('[role=combobox]'), query)
  expect(titles()[0]).toBe(t(title))
})
