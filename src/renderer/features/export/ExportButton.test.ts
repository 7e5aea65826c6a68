// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { z } from 'zod'
import type { ExportedFile } from '#shared/bridge/export'
import { never } from '../../../../test/gallery/fake-main'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account } from '../../../../test/gallery/world'
import { withShortNames } from '../../components/middle-cut'
import { t } from '../../platform/i18n'
import ExportButton from './ExportButton.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

const source = () => ({ kind: 'rows' as const, name: 'machines', columns: ['name'], rows: [] })
const open = (answer: () => ExportedFile | Promise<never>) =>
  mounted(() => h(ExportButton, { account, what: 'machines', source }), { 'export.table': answer })

it('the button asks for a format, saves the list and shows the file name', async () => {
  window = await open(() => ({ file: `${texts.html}.csv`, rows: 3, complete: true }))
  await window.click(t('exports.action'))
  await window.click(t('exports.formats.csv'))
  expect(calls('export.table')).toEqual([
    { account, job: expect.any(String), format: 'csv', source: source() },
  ])
  expect(window.text()).toContain(
    withShortNames(t('exports.saved', { count: 3, file: `${texts.html}.csv` }, 3)),
  )
  expect(window.all('.n-message img')).toEqual([])
})

it('a saved file can be shown in its folder', async () => {
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

it('a saved file reports the records that could not be read', async () => {
  window = await open(() => ({ file: 'a.csv', rows: 3, complete: true, unreadable: 2 }))
  await window.click(t('exports.action'))
  await window.click(t('exports.formats.csv'))
  expect(window.text()).toContain(t('exports.leftOut', { count: 2, file: 'a.csv' }, 2))
})

it('an export shows its progress and can be cancelled', async () => {
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
