// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { t } from '../../platform/i18n'
import BulkDialog from './BulkDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('leaves the focus on the button that closes it once each has its outcome', async () => {
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
/** The question for these, before which something is typed. */
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

it('does nothing before their number was typed, and says afterwards what became of them', async () => {
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

it('no longer warns of what is done, and says once how far it is', async () => {
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

it('does nothing to one before its name was typed as it is', async () => {
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

it('asks for the id of one without a name, and shows what a name hides', async () => {
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
