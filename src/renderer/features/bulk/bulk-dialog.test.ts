// @vitest-environment happy-dom
import '../../../../test/gallery/fake-main'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
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
