// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine, now, sandboxAccount, world } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CommandPalette from './CommandPalette.vue'

let window: Mounted
afterEach(() => window.unmount())

async function open() {
  const { seen, on } = emissions('close')
  window = await mounted(() => h(CommandPalette, on))
  return seen
}
const input = () => window.find('[role=combobox]')
const titles = () => window.all('[role=option] .title').map((title) => title.textContent)
const selected = () => window.find('[role=option][aria-selected=true]')
const selectedTitle = () => selected().querySelector('.title')?.textContent

describe('CommandPalette', () => {
  it('selects the first entry and announces the selected entry to screen readers', async () => {
    await open()
    expect(selectedTitle()).toBe(titles()[0])
    expect(input().getAttribute('aria-activedescendant')).toBe(selected().id)
    await window.press(input(), 'ArrowDown')
    expect(selectedTitle()).toBe(titles()[1])
    expect(input().getAttribute('aria-activedescendant')).toBe(selected().id)
  })

  it('wraps around at both ends', async () => {
    await open()
    await window.press(input(), 'ArrowUp')
    expect(selectedTitle()).toBe(titles().at(-1))
    await window.press(input(), 'ArrowDown')
    expect(selectedTitle()).toBe(titles()[0])
  })

  it('selects the first entry again after each typed letter', async () => {
    await open()
    await window.press(input(), 'ArrowDown')
    await window.type(input(), 'notebook')
    expect(titles()[0]).toBe('notebook-anna')
    expect(selectedTitle()).toBe('notebook-anna')
  })

  it('runs the selected entry with Enter and closes once', async () => {
    const seen = await open()
    await window.type(input(), t('common.navigation.settings'))
    expect(selectedTitle()).toBe(t('common.navigation.settings'))
    await window.press(input(), 'Enter')
    expect(window.router.currentRoute.value.name).toBe('settings')
    expect(seen).toEqual([['close']])
  })

  it.each([
    ['a machine', machine().name],
    ['a tab of a machine', `notes ${machine().name}`],
  ])('focuses the panel of %s that it opens', async (_, typed) => {
    window = await mounted(() => [
      h(CommandPalette),
      h('aside', [h('div', { role: 'tabpanel', tabindex: 0 })]),
    ])
    await window.type(input(), typed)
    await window.press(input(), 'Enter')
    expect(window.router.currentRoute.value.params.machine).toBe(machine().id)
    expect(document.activeElement?.getAttribute('role')).toBe('tabpanel')
  })

  it.each([
    ['jupyter', /^Services: /],
    ['tmux', /^New session that survives disconnects: /],
    ['copy ssh', /^Copy SSH command: /],
    ['quit', /^Quit Wheelhouse$/],
    ['language', /^Appearance/],
    ['budget', /^Budget/],
  ])('finds %s', async (typed, title) => {
    await open()
    await window.type(input(), typed)
    expect(titles()).toContainEqual(expect.stringMatching(title))
  })

  it('finds a machine by its tag', async () => {
    window = await mounted(() => h(CommandPalette), {
      'notes.list': () => ({ [machine().id]: { text: '', tags: ['team-vision'] } }),
    })
    await window.type(input(), 'team-vision')
    expect(titles()[0]).toBe(machine().name)
  })

  it('names the copy of the newest machine once', async () => {
    await open()
    const copies = () =>
      titles().filter((title) => title === t('creation.anotherLike', { machine: machine().name }))
    await window.type(input(), 'create another')
    expect(copies()).toHaveLength(1)
    await window.type(input(), `like ${machine().name}`)
    expect(copies()).toHaveLength(1)
  })

  it('puts the actions of the open machine first', async () => {
    window = await mounted(() => h(CommandPalette))
    await window.router.push({ name: 'machines', params: { machine: 'm-off' } })
    await window.type(input(), 'tags')
    expect(titles()[0]).toContain('archive')
  })

  it('runs nothing while text is being composed', async () => {
    const seen = await open()
    const first = selectedTitle()
    for (const key of ['ArrowDown', 'Enter']) await window.press(input(), key, { isComposing: true })
    expect(selectedTitle()).toBe(first)
    expect(seen).toEqual([])
  })

  it('runs a clicked entry', async () => {
    await open()
    await window.type(input(), 'archive')
    const option = window.all('[role=option]').find((one) => one.textContent?.startsWith('archive'))
    await window.click(option ?? expect.fail())
    expect(window.router.currentRoute.value.params['machine']).toBe('m-off')
  })

  it('shows an empty result, on which Enter does nothing', async () => {
    const seen = await open()
    await window.type(input(), 'zzz')
    expect(window.text()).toContain(t('common.palette.empty', { query: 'zzz' }))
    expect(input().hasAttribute('aria-activedescendant')).toBe(false)
    await window.press(input(), 'ArrowDown')
    await window.press(input(), 'Enter')
    expect(seen).toEqual([])
  })
})

describe('the commands of the palette', () => {
  it('offers no session on a machine without an address', async () => {
    await open()
    await window.type(input(), t('common.palette.connectTo', { machine: 'eval-nightly' }))
    expect(titles()).not.toContain(t('common.palette.connectTo', { machine: 'eval-nightly' }))
    await window.type(input(), t('common.palette.connectTo', { machine: 'notebook-anna' }))
    expect(titles()).toContain(t('common.palette.connectTo', { machine: 'notebook-anna' }))
  })

  it.each([
    ['delete rend', 'Delete render-7'],
    ['budget', t('alerts.limits.title')],
    ['idle', t('idle.settings.title')],
    ['theme', t('common.palette.theme.light')],
    ['firewall anna', 'Firewall: notebook-anna'],
    ['copy address anna', 'Copy address of notebook-anna'],
    ['ntbk', 'notebook-anna'],
    ['waste', t('common.navigation.overview')],
    ['anna idle', 'Cost: notebook-anna'],
  ])('finds by %j: %s', async (query, title) => {
    await open()
    await window.type(input(), query)
    expect(titles()).toContain(title)
  })

  it('opens the action’s dialog on the machine’s page', async () => {
    await open()
    await window.type(input(), 'delete notebook-anna')
    await window.press(input(), 'Enter')
    await window.settled()
    const { name, params, query } = window.router.currentRoute.value
    expect([name, params.machine, query]).toEqual(['machines', expect.any(String), { act: 'delete' }])
  })

  it('finds a job of any machine by its command and opens the jobs of its machine', async () => {
    window = await mounted(() => h(CommandPalette), {
      'jobs.list': (input) =>
        input.account === account
          ? [
              {
                id: 'j-1',
                account,
                machine: 'm-off',
                machineName: 'archive',
                name: 'python train.py',
                subject: { kind: 'idle', minutes: 15 },
                boot: '',
                since: now,
                state: { kind: 'running' },
                link: null,
                isAllowed: true,
              },
            ]
          : [],
    })
    await window.type(input(), 'archive gpus idle')
    expect(titles()).toEqual([t('jobs.idle', { duration: '15 min' })])
    await window.press(input(), 'Enter')
    await window.settled()
    const { params, query } = window.router.currentRoute.value
    expect([params.machine, query]).toEqual(['m-off', { tab: 'jobs' }])
  })

  it('opens the list of the bell and focuses the bell', async () => {
    const { seen, on } = emissions('click')
    window = await mounted(() => [h(CommandPalette), h('button', { popovertarget: 'alerts', ...on }, 'Bell')])
    await window.type(input(), t('common.palette.alerts'))
    await window.press(input(), 'Enter')
    await window.settled()
    expect(seen.length).toBe(1)
    expect(document.activeElement).toBe(window.named('Bell'))
  })

  it('puts the machines of the selected account first among equal actions', async () => {
    window = await mounted(() => h(CommandPalette), {
      'accounts.list': () => ({ ...world['accounts.list'](), selected: sandboxAccount.id }),
      'fleet.snapshot': (input) => ({
        account: input.account,
        revision: 1,
        machines: [machine({ id: input.account, name: input.account === account ? 'theirs' : 'ours' })],
        status: { asOf: 1, reading: false, total: 1, failure: null },
      }),
    })
    await window.type(input(), 'firewall')
    expect(titles()).toEqual(['Firewall: ours', 'Firewall: theirs'])
  })

  it('distinguishes machines with the same name', async () => {
    const twins = ['twin-1', 'twin-2'].map((id) => machine({ id, name: 'twin' }))
    window = await mounted(() => h(CommandPalette), {
      'fleet.snapshot': (input) => ({
        account: input.account,
        revision: 1,
        machines: input.account === account ? twins : [],
        status: { asOf: 1, reading: false, total: 2, failure: null },
      }),
    })
    await window.type(input(), 'twin')
    const hints = (title: string) =>
      window
        .all('[role=option]')
        .filter((one) => one.querySelector('.title')?.textContent === title)
        .map((one) => one.querySelector('.hint')?.textContent ?? '')
    const copying = t('common.palette.copyOf', { action: t('common.palette.copyId'), name: 'twin' })
    for (const title of ['twin', t('common.palette.connectTo', { machine: 'twin' }), copying])
      expect([title, new Set(hints(title)).size]).toEqual([title, hints(title).length])
  })
})
