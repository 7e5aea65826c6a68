// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { z } from 'zod'
import { FailureError } from '#shared/failure'
import type { Alert } from '#shared/bridge/alert'
import type { ExportedFile } from '#shared/bridge/export'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import AlertBell from '../app/shell/AlertBell.vue'
import { never } from '../../../test/gallery/fake-main'
import { emissions, mounted, type Mounted, nameOf } from '../../../test/gallery/mounted'
import { texts } from '../../../test/gallery/texts'
import { account, alert, alerts, now } from '../../../test/gallery/world'
import { t } from '../platform/i18n'
import AlertRow from './alerts/AlertRow.vue'
import BulkDialog from './bulk/BulkDialog.vue'
import ExportButton from './export/ExportButton.vue'
import TagsField from './notes/TagsField.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

describe('AlertRow', () => {
  const hostile = alert('a-1', {
    kind: 'long-running',
    machine: 'm-train',
    name: texts.html,
    hours: 72,
    perHour: null,
    cost: null,
  })
  /** The button of this name, whatever minute the alert names. */
  const button = (key: 'showNamed' | 'snoozeNamed' | 'wakeNamed' | 'dismissNamed') =>
    window
      .all('button')
      .find((one) => nameOf(one).startsWith(t(`alerts.list.${key}`, { alert: texts.html }))) ??
    window.find(key)
  const open = async (shown: Alert = hostile) => {
    const { seen, on } = emissions('shown')
    window = await mounted(() => h('ul', [h(AlertRow, { alert: shown, ...on })]), {
      'alerts.snooze': () => undefined,
      'alerts.dismiss': () => undefined,
      'accounts.select': () => undefined,
    })
    return seen
  }

  it('names its buttons after the alert, with a machine’s name as text', async () => {
    await open()
    expect([button('showNamed'), button('snoozeNamed'), button('dismissNamed')]).toEqual(window.all('button'))
    expect(window.all('li img, li b')).toEqual([])
  })

  it('asks for how long before it snoozes, from the keyboard too', async () => {
    await open()
    await window.click(button('snoozeNamed'))
    expect(document.activeElement?.textContent?.trim()).toBe(t('alerts.list.hour'))
    expect(calls('alerts.snooze')).toEqual([])
    await window.press(window.find('[role=group]'), 'Escape')
    expect(window.all('[role=group]')).toEqual([])
    await window.click(button('snoozeNamed'))
    await window.click(t('alerts.list.week'))
    expect(calls('alerts.snooze')).toEqual([{ account, alert: 'a-1', length: 'week' }])
  })

  it('wakes a snoozed alert, and dismisses one', async () => {
    await open({ ...hostile, snoozedUntil: now + 600 })
    await window.click(button('wakeNamed'))
    await window.click(button('dismissNamed'))
    expect(calls('alerts.snooze')).toEqual([{ account, alert: 'a-1', length: null }])
    expect(calls('alerts.dismiss')).toEqual([{ account, alert: 'a-1' }])
  })

  it('shows the machine that it is about', async () => {
    const seen = await open()
    await window.click(button('showNamed'))
    expect(seen).toEqual([['shown']])
    expect(window.router.currentRoute.value.params).toEqual({ machine: 'm-train' })
  })
})

describe('AlertBell', () => {
  it('counts those that want to be looked at, and announces them to screen readers', async () => {
    const asleep = {
      ...alert('a-2', { kind: 'idle', machine: 'm', name: 'n', cost: null, strength: 'cpu' }),
      snoozedUntil: now + 60,
    }
    window = await mounted(() => h(AlertBell), {
      'alerts.list': (input) => (input.account === account ? [...alerts, asleep] : []),
    })
    const bell = window.find('[popovertarget]')
    expect(bell.getAttribute('aria-label')).toBe(t('alerts.bell', {}, alerts.length))
    expect(bell.textContent.trim()).toBe(String(alerts.length))
  })

  it('leads to the limits', async () => {
    window = await mounted(() => h(AlertBell), { 'alerts.list': () => [] })
    const list = window.find('[popover]')
    expect(list.textContent).toBe('')
    list.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' }))
    await expect.poll(() => list.textContent).toContain(t('alerts.list.settings'))
    await window.click(t('alerts.list.settings'))
    expect(window.router.currentRoute.value.fullPath).toBe('/settings#limits')
  })
})

describe('BulkDialog', () => {
  const items = [
    { id: 'a', name: 'node-a' },
    { id: 'b', name: texts.html },
    { id: 'c', name: 'node-c' },
  ]
  const done: ActionOutcome = { kind: 'done' }
  async function open(act: (id: string) => Promise<ActionOutcome>, others: object = {}) {
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

  it('does each once, one after the other, and stays with what became of each', async () => {
    const { seen, asked } = await open(() => Promise.resolve(done))
    await window.submit()
    await window.submit()
    expect([asked, seen]).toEqual([['a', 'b', 'c'], []])
    expect(window.all('li .became').map((one) => one.textContent)).toEqual(
      items.map(() => t('common.many.progress.done')),
    )
  })

  it('closes where it was one, and says so elsewhere', async () => {
    const { seen, asked } = await open(() => Promise.resolve(done), { items: items.slice(0, 1) })
    await window.submit()
    expect([asked, seen]).toEqual([['a'], [['close']]])
  })

  it('goes on after a failure, stays, and says at each what became of it', async () => {
    const { seen, asked } = await open((id) =>
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

  it('halts: what has not begun is left alone', async () => {
    let answer: (outcome: ActionOutcome) => void = () => undefined
    const { seen, asked } = await open(() => new Promise((resolve) => (answer = resolve)))
    await window.submit()
    await window.press(window.find('dialog'), 'Escape')
    answer(done)
    await window.settled()
    expect([asked, seen]).toEqual([['a'], []])
    expect(window.all('li').at(2)?.textContent).toContain(t('common.many.progress.cancelled'))
  })
})

describe('ExportButton', () => {
  const source = () => ({ kind: 'rows' as const, name: 'machines', columns: ['name'], rows: [] })
  const open = (answer: () => ExportedFile | Promise<never>) =>
    mounted(() => h(ExportButton, { account, what: 'machines', source }), { 'export.table': answer })

  it('asks for the format, saves the list, and says where', async () => {
    window = await open(() => ({ file: `${texts.html}.csv`, rows: 3, complete: true }))
    await window.click(t('exports.action'))
    await window.click(t('exports.formats.csv'))
    expect(calls('export.table')).toEqual([
      { account, job: expect.any(String), format: 'csv', source: source() },
    ])
    expect(window.text()).toContain(t('exports.saved', { count: 3, file: `${texts.html}.csv` }, 3))
    expect(window.all('.n-message img')).toEqual([])
  })

  it('shows what it has saved in its folder', async () => {
    window = await mounted(() => h(ExportButton, { account, what: 'machines', source }), {
      'export.table': () => ({ file: 'machines.csv', rows: 3, complete: true }),
      'export.show': () => undefined,
    })
    await window.click(t('exports.action'))
    await window.click(t('exports.formats.csv'))
    await window.click(t('exports.showInFolder'))
    const job = z.object({ job: z.string() }).parse(calls('export.table')[0]).job
    expect(calls('export.show')).toEqual([{ job }])
  })

  it('says how many records of the service are not in the file', async () => {
    window = await open(() => ({ file: 'a.csv', rows: 3, complete: true, unreadable: 2 }))
    await window.click(t('exports.action'))
    await window.click(t('exports.formats.csv'))
    expect(window.text()).toContain(t('exports.leftOut', { count: 2, file: 'a.csv' }, 2))
  })

  it('shows how far it is in place of the button, and can be cancelled', async () => {
    window = await mounted(() => h(ExportButton, { account, what: 'machines', source }), {
      'export.table': () => never,
      'billing.cancel': () => undefined,
    })
    await window.click(t('exports.action'))
    await window.click(t('exports.formats.json'))
    expect(window.find('[role=status]').textContent).toContain(t('exports.choosing'))
    const [input] = calls('export.table')
    const { job } = z.object({ job: z.string() }).parse(input)
    window.main.emit('billing.progress', { account, job, done: 1_200, total: 4_000 })
    await window.settled()
    expect(window.find('[role=status]').textContent).toContain('1,200')
    await window.click(t('exports.cancel'))
    expect(calls('billing.cancel')).toEqual([{ job }])
  })
})

describe('TagsField', () => {
  const open = async (tags: readonly string[]) => {
    const { seen, on } = emissions('change')
    window = await mounted(() => h(TagsField, { tags, ...on }))
    return { seen, input: window.find('input') }
  }

  it('adds with Enter and with a comma, without spaces around it', async () => {
    const { seen, input } = await open(['llama'])
    await window.type(input, '  nightly ')
    await window.press(input, 'Enter')
    await window.type(input, texts.rtl)
    await window.press(input, ',')
    expect(seen).toEqual([
      ['change', ['llama', 'nightly']],
      ['change', ['llama', texts.rtl]],
    ])
  })

  it('adds no tag twice, however it is written', async () => {
    const { seen, input } = await open(['Llama'])
    await window.type(input, 'llama')
    await window.press(input, 'Enter')
    expect([seen, input]).toEqual([[], expect.objectContaining({ value: '' })])
  })

  it('takes the last one away with Backspace in the empty field, and any with its button', async () => {
    const { seen, input } = await open(['one', texts.html])
    await window.type(input, 'x')
    await window.press(input, 'Backspace')
    expect(seen).toEqual([])
    await window.type(input, '')
    await window.press(input, 'Backspace')
    await window.click(t('notes.tags.remove', { tag: 'one' }))
    expect(seen).toEqual([
      ['change', ['one']],
      ['change', [texts.html]],
    ])
  })

  it('says at the field why a tag cannot be added', async () => {
    const { seen, input } = await open(Array.from({ length: 20 }, (_, at) => String(at)))
    await window.type(input, 'one more')
    await window.press(input, 'Enter')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    const note = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe(t('notes.tags.tooMany'))
    expect(seen).toEqual([])
  })
})
