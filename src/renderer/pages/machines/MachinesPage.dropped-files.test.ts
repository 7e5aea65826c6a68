// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machines } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useFiles } from '../../stores/files'
import MachinesPage from './MachinesPage.vue'
// The page loads the panel lazily.
import './panel/MachinePanel.vue'

let window: Mounted
afterEach(() => window.unmount())

const uploads = () => window.main.calls.flatMap(([name, input]) => (name === 'files.upload' ? [input] : []))
async function open(handlers: Partial<Handlers> = {}, isAllowed = true): Promise<void> {
  window = await mounted(() => h(MachinesPage), {
    'files.look': (input) => ({
      ...input,
      link: isAllowed ? { kind: 'connected' } : { kind: 'off', why: 'no-consent' },
    }),
    'files.list': () => ({ path: '/home/ubuntu', entries: [], isCut: false }),
    'files.upload': () => null,
    ...handlers,
  })
}
const row = (name: string) =>
  window.all('[role=row]').find((one) => one.textContent?.includes(name)) ?? expect.fail(name)
function drag(type: 'dragover' | 'drop', to: Element): Event {
  const event = new Event(type, { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { types: ['Files'] } })
  to.dispatchEvent(event)
  return event
}
const waits = () => window.text().includes(t('files.dropWaits'))

it('files that are dropped on a machine are uploaded once', async () => {
  await open()
  drag('dragover', row('notebook-anna'))
  expect(drag('drop', row('notebook-anna')).defaultPrevented).toBe(true)
  await expect
    .poll(uploads)
    .toEqual([{ account, machine: 'm-idle', folder: '/home/ubuntu', from: 'dropped' }])
  expect(useFiles().dropped).toBeNull()
})

it('dropped files wait for the consent, until the panel is closed', async () => {
  await open({}, false)
  drag('drop', row('notebook-anna'))
  await expect.poll(waits).toBe(true)
  await window.router.push({ name: 'machines', params: { machine: 'm-train' } })
  await expect.poll(() => useFiles().dropped).toBeNull()
  expect(waits()).toBe(false)
})

it('dropped files are discarded when another machine is opened first', async () => {
  await open()
  drag('drop', row('notebook-anna'))
  await window.router.push({ name: 'machines', params: { machine: 'm-train' } })
  await window.settled()
  expect(useFiles().dropped).toBeNull()
  expect(uploads()).toEqual([])
})

it('a machine known only from the last run accepts no files', async () => {
  const status = { asOf: null, reading: true, total: null, failure: null }
  await open({
    'fleet.snapshot': (input) => ({ account: input.account, revision: 1, machines: [], status }),
    'fleet.lastList': () => ({ asOf: 1_700_000_000, machines: [...machines] }),
  })
  await expect.poll(() => window.text()).toContain('notebook-anna')
  const shown = row('notebook-anna')
  expect(drag('dragover', shown).defaultPrevented).toBe(false)
  await window.settled()
  expect(shown.classList.contains('over')).toBe(false)
})
