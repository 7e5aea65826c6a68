// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { templateFixture } from '../../../../test/fixtures/template'
import { t } from '../../platform/i18n'
import TemplateDialog from './TemplateDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

it('warns of a secret in the init script of a machine, as long as it is unchanged', async () => {
  const template = templateFixture({ initScript: '#!/bin/bash\nexport TOKEN=hf_abcdefghijklmnop\n' })
  window = await mounted(() => h(TemplateDialog, { title: 'Save', template, scriptSecrets: [2] }))
  await window.settled()
  const warning = t('templates.dialog.secret', { lines: '2' }, 1)
  expect(window.text()).toContain(warning)
  expect(window.text()).not.toContain(t('templates.dialog.scriptUnknown'))
  await window.type(window.find('textarea'), 'true')
  expect(window.text()).not.toContain(warning)
})

it('refuses the name of another template at its field, and gives a new template a free one', async () => {
  const stored = { ...templateFixture(), secretLines: { initScript: [], commands: [] } }
  const template = templateFixture({ id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a29' })
  window = await mounted(() => h(TemplateDialog, { title: 'Save as template', template }), {
    'templates.list': () => [stored],
    'templates.save': ({ template: saved }) => ({ ...saved, secretLines: stored.secretLines }),
  })
  await window.settled()
  const saves = () => window.main.calls.filter(([name]) => name === 'templates.save')
  const field = window.field(t('templates.dialog.name'))
  expect(field.value).toBe('Training 2')
  await window.type(field, 'Training ')
  expect(window.text()).toContain(t('templates.dialog.nameTaken'))
  await window.submit()
  expect(saves()).toEqual([])
})
