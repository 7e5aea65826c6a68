// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import { t } from '../../platform/i18n'
import BulkDialog from './BulkDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the close button has the focus when all actions are finished', async () => {
  const { seen, on } = emissions('close')
  const items = [
    { id: 'a', name: 'one' },
    { id: 'b', name: 'two' },
  ]
  const act = () => Promise.resolve({ kind: 'done' as const })
  window = await mounted(() =>
    h(BulkDialog, { title: 'Stop 2 machines?', text: [], items, action: 'Stop', act, done: '', ...on }),
  )
  expect(document.activeElement?.textContent).toBe('Stop')
  await window.submit()
  expect(document.activeElement?.textContent?.trim()).toBe(t('common.actions.close'))
  expect(seen).toEqual([])
})

const items = [
  { id: 'a', name: 'node-a' },
  { id: 'b', name: texts.html },
  { id: 'c', name: 'node-c' },
]
/** Opens a dialog with a confirmation to type. */
async function open(asks: { readonly items?: typeof items; readonly typeLabel: (name: string) => string }) {
  const asked: string[] = []
  const act = (id: string) => {
    asked.push(id)
    return Promise.resolve({ kind: 'done' as const })
  }
  const words = { title: 'Stop 3 machines?', text: [], action: 'Stop', done: '' }
  window = await mounted(() => h(BulkDialog, { ...words, items, act, ...asks }))
  return { asked }
}

it('the action requires the typed number of items, and the title shows the outcome', async () => {
  const { asked } = await open({
    typeLabel: (name: string) => `Type ${name}`,
  })
  expect(window.all('li .name').map((one) => one.textContent)).toEqual(items.map(({ name }) => name))
  expect(window.all('dialog label').map((one) => one.textContent)).toEqual([
    t('common.many.typeCount', { count: 3 }),
  ])
  const field = window.find('dialog input')
  await window.type(field, '2')
  await window.submit()
  expect(window.named('Stop').hasAttribute('disabled')).toBe(true)
  expect([asked, window.find('dialog h2').textContent]).toEqual([[], 'Stop 3 machines?'])
  await window.type(field, '3')
  await window.submit()
  expect(asked).toEqual(['a', 'b', 'c'])
  expect(window.find('dialog h2').textContent).toBe(
    t('common.many.became', { action: 'Stop', done: 3, count: 3 }),
  )
})

it('the warning disappears when the actions are finished, and the count is announced once', async () => {
  const act = (id: string) =>
    id === 'b' ? Promise.reject(new Error('refused')) : Promise.resolve({ kind: 'done' as const })
  const words = { title: 'Delete 3?', text: ['80 GB will be lost.'], action: 'Delete', done: '' }
  window = await mounted(() => h(BulkDialog, { ...words, items, act }))
  expect(window.text()).toContain('80 GB will be lost.')
  await window.submit()
  expect(window.text()).not.toContain('80 GB will be lost.')
  const counts = { action: 'Delete', done: 2, count: 3 }
  expect(window.find('dialog h2').textContent).toBe(
    `${t('common.many.became', counts)} · ${t('common.many.notDone', { count: 1 })}`,
  )
  const status = window.find('[role=status]')
  expect(status.textContent).toContain(t('common.many.finished', counts))
  expect(status.className).toBe('for-readers')
})

it('the action on a single item requires its exact name', async () => {
  const { asked } = await open({
    items: items.slice(1, 2),
    typeLabel: (name: string) => `Type ${name}`,
  })
  await window.type(window.find('dialog input'), 'node-b')
  await window.submit()
  expect(asked).toEqual([])
  await window.type(window.find('dialog input'), texts.html)
  await window.submit()
  expect(asked).toEqual(['b'])
})

it('an item without a name is confirmed by its id, and hidden characters are shown', async () => {
  const { asked } = await open({
    items: [{ id: 'm-1', name: '' }],
    typeLabel: (name: string) => `Type ${name}\u202E`,
  })
  expect(window.find('dialog label').textContent).toBe('Type m-1\uFFFD')
  await window.submit()
  expect(asked).toEqual([])
  await window.type(window.find('dialog input'), 'm-1')
  await window.submit()
  expect(asked).toEqual(['m-1'])
})

const done: ActionOutcome = { kind: 'done' }
async function openStop(act: (id: string) => Promise<ActionOutcome>, others: object = {}) {
  const { seen, on } = emissions('close')
  const asked: string[] = []
  window = await mounted(() =>
    h(BulkDialog, {
      title: 'Stop 3 machines?',
      text: ['They can be started again.'],
      items,
      action: 'Stop',
      done: 'Stopped',
      act: (id: string) => {
        asked.push(id)
        return act(id)
      },
      ...others,
      ...on,
    }),
  )
  return { seen, asked }
}

it('the actions run once each, in order, and the dialog stays with each outcome', async () => {
  const { seen, asked } = await openStop(() => Promise.resolve(done))
  await window.submit()
  await window.submit()
  expect([asked, seen]).toEqual([['a', 'b', 'c'], []])
  expect(window.all('li .outcome').map((one) => one.textContent)).toEqual(
    items.map(() => t('common.many.progress.done')),
  )
})

it('the dialog of a single item closes when the action is done', async () => {
  const { seen, asked } = await openStop(() => Promise.resolve(done), { items: items.slice(0, 1) })
  await window.submit()
  expect([asked, seen]).toEqual([['a'], [['close']]])
})

it('a failure does not stop the next actions, and each item shows its outcome', async () => {
  const { seen, asked } = await openStop((id) =>
    id === 'b'
      ? Promise.reject(new FailureError({ kind: 'refused-by-service', message: texts.html, status: 409 }))
      : Promise.resolve(done),
  )
  await window.submit()
  expect(asked).toEqual(['a', 'b', 'c'])
  expect(seen).toEqual([])
  const lines = window.all('li').map((one) => one.textContent)
  expect(lines[0]).toContain(t('common.many.progress.done'))
  expect(lines[1]).toContain(texts.html)
  expect(window.all('li img')).toEqual([])
  expect(window.text()).toContain(t('common.many.finished', { done: 2, count: 3 }))
})

it('Escape cancels the actions that have not started', async () => {
  let answer: (outcome: ActionOutcome) => void = () => undefined
  const { seen, asked } = await openStop(() => new Promise((resolve) => (answer = resolve)))
  await window.submit()
  await window.press(window.find('dialog'), 'Escape')
  answer(done)
  await window.settled()
  expect([asked, seen]).toEqual([['a'], []])
  expect(window.all('li').at(2)?.textContent).toContain(t('common.many.progress.cancelled'))
})
