// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreateForm from './CreateForm.vue'
import { emptyDraft } from './draft'

it('the errors of a draft are not shown for the draft that replaces it', async () => {
  const window = await mounted(() => h(CreateForm, { account, kind: 'machine' }), {
    'catalog.regions': () => ({ asOf: 1, items: [] }),
    'catalog.flavors': () => ({ asOf: 1, items: [], currencyAssumed: false }),
    'catalog.images': () => ({ asOf: 1, items: [] }),
    'creation.keys': () => [],
    'creation.draft': () => null,
    'creation.replacedDraft': () => emptyDraft(),
    'creation.keepDraft': () => undefined,
    'volumes.refresh': () => undefined,
  })
  onTestFinished(() => window.unmount())
  await window.submit()
  expect(window.text()).toContain(t('creation.missing.name'))
  await window.click(t('creation.restore'))
  expect(window.text()).not.toContain(t('creation.missing.name'))
})
