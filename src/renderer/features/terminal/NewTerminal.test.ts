// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import type { TerminalSession } from '#shared/bridge/terminal'
import { mounted, type Mounted, nameOf } from '../../../../test/gallery/mounted'
import { account, machine, now, world } from '../../../../test/gallery/world'
import { foreignText } from '../../components/foreign-text'
import { t } from '../../platform/i18n'
import { useFleet } from '../../stores/fleet'
import NewTerminal from './NewTerminal.vue'

let window: Mounted
afterEach(() => window.unmount())

const session: TerminalSession = {
  id: 's',
  account,
  machine: 'm',
  name: 'train',
  destination: 'ubuntu@203.0.113.21',
  kept: null,
  title: null,
  beside: null,
  state: { kind: 'running' },
}
/** Returns a name as a menu shows it. */
const shownName = (name: string): string => foreignText(name, 300).replace(/\s+/g, ' ').trim()
let another: number
async function open(handlers: Partial<Handlers> = {}): Promise<readonly string[]> {
  another = 0
  window = await mounted(
    () => h(NewTerminal, { current: session, onAnother: () => (another += 1) }),
    handlers,
  )
  await window.click(t('terminal.add.open'))
  return window.all('[role=menuitem]').map(nameOf)
}

it('offers the machine of the terminal first, machines that SSH reaches, and all machines last', async () => {
  const items = await open()
  expect(items[0]).toBe(t('terminal.add.here', { machine: 'train' }))
  expect(items.at(-1)).toBe(t('terminal.add.all'))
  const names = [...useFleet().fleets.values()].flatMap((list) =>
    [...list.items.values()].map(({ name }) => shownName(name)),
  )
  expect(items.length).toBeGreaterThan(2)
  expect(items.length).toBeLessThanOrEqual(12)
  const unknown = items.slice(1, -1).filter((item) => !names.some((name) => item.startsWith(name)))
  expect(unknown).toEqual([])
  await window.click(items[0] ?? '')
  expect(another).toBe(1)
})

it('offers bare metal, unless it is gone', async () => {
  const instance = (name: string, presence: 'there' | 'gone') => ({
    ...machine({ id: name, name }),
    origin: 'found' as const,
    knownSince: now,
    presence,
  })
  const items = await open({
    'fleet.snapshot': (input) => ({ ...world['fleet.snapshot'](input), machines: [] }),
    'bareMetal.snapshot': (input) => ({
      ...world['bareMetal.snapshot'](input),
      instances: input.account === account ? [instance('metal', 'there'), instance('sold', 'gone')] : [],
    }),
  })
  expect(items).toHaveLength(3)
  expect(items[1]).toMatch(/^metal/)
})

it('opens a terminal in the window on the chosen machine', async () => {
  const [, machine = ''] = await open()
  await window.click(machine)
  await window.settled()
  const connects = window.main.calls.filter(([name]) => name === 'ssh.connect')
  expect(connects).toMatchObject([['ssh.connect', { inside: true }]])
})

it('leads to all machines', async () => {
  await open()
  await window.click(t('terminal.add.all'))
  await expect.poll(() => window.router.currentRoute.value.name).toBe('machines')
})
