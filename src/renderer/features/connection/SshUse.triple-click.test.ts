// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { account } from '../../../../test/gallery/world'
import { callCount, tripleClick, withClickGuard } from '../../../../test/gallery/triple-click'
import SshUse from './SshUse.vue'

let window: Mounted
withClickGuard()
afterEach(() => window.unmount())

it('a triple click on the confirmation stops the GPU readings once', async () => {
  const consents = { account, everyMachine: { gpu: true }, machines: {} }
  window = await mounted(() => h(SshUse, { account, machine: null }), {
    'ssh.consents': () => consents,
    'ssh.setConsents': () => consents,
  })
  await window.click(window.find('[role=checkbox]'))
  await tripleClick(window, window.find('dialog button[type=submit]'))
  expect(callCount(window, 'ssh.setConsents')).toBe(1)
})
