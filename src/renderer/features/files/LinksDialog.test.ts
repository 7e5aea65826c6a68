// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { Settings } from '#shared/bridge/app'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import LinksDialog from './LinksDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async () => {
  const asks = { id: 't', direction: 'upload', machineName: 'train', count: 30, names: ['runs/a'] } as const
  window = await mounted(() => h(LinksDialog, { asks }), {
    'files.answerLinks': () => [],
    'files.cancel': () => [],
    'settings.change': (changes) => Settings.parse(changes),
  })
}
const sent = (...names: readonly string[]) => window.main.calls.filter(([name]) => names.includes(name))

it('an answer applies to the transfer only', async () => {
  await open()
  expect(window.text()).toContain('runs/a, …')
  await window.click(t('files.links.copy'))
  expect(sent('files.answerLinks', 'settings.change')).toEqual([
    ['files.answerLinks', { transfer: 't', choice: 'copy' }],
  ])
})

it('an answer for all transfers is stored in the settings', async () => {
  await open()
  await window.click(window.find('[role=checkbox]'))
  await window.click(t('files.links.skip'))
  expect(sent('files.answerLinks', 'settings.change')).toEqual([
    ['settings.change', { outerLinks: 'skip' }],
    ['files.answerLinks', { transfer: 't', choice: 'skip' }],
  ])
})

it('closing the dialog cancels the transfer', async () => {
  await open()
  await window.click(t('files.taken.cancel'))
  expect(sent('files.answerLinks', 'files.cancel')).toEqual([['files.cancel', { transfer: 't' }]])
})
