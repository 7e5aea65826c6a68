// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { Settings } from '#shared/bridge/app'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine, sshAliasesView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useApp } from '../../stores/app'
import OpenInDialog from './OpenInDialog.vue'

it('the note on an editor’s trust is shown until the first folder was opened', async () => {
  let settings = Settings.parse({})
  const open = async () => {
    const window = await mounted(
      () => h(OpenInDialog, { account, machine: machine(), editor: { id: 'vscode', name: 'VS Code' } }),
      {
        'sshAliases.read': () => sshAliasesView({ enabled: true, included: true }),
        'editors.open': () => undefined,
        'settings.change': (changes) => (settings = Settings.parse({ ...settings, ...changes })),
      },
    )
    onTestFinished(() => window.unmount())
    return window
  }
  const window = await open()
  expect(window.text()).toContain('treats the machine as trusted')
  await window.submit()
  expect(window.main.calls).toContainEqual(['settings.change', { editorTrustSaid: true }])
  expect(useApp().settings.editorTrustSaid).toBe(true)
  expect(window.text()).not.toContain('treats the machine as trusted')
})

it('an invalid folder is reported at its field', async () => {
  const window = await mounted(
    () => h(OpenInDialog, { account, machine: machine(), editor: { id: 'zed', name: 'Zed' } }),
    {
      'sshAliases.read': () => sshAliasesView({ enabled: true, included: true }),
      'editors.open': () => {
        throw new FailureError({ kind: 'invalid-input', field: 'folder', reason: 'malformed' })
      },
    },
  )
  onTestFinished(() => window.unmount())
  await window.submit()
  expect(window.find('dialog input').getAttribute('aria-invalid')).toBe('true')
  expect(window.text()).toContain(t('editors.folderFormat'))
  expect(window.all('[role=alert]')).toEqual([])
})
