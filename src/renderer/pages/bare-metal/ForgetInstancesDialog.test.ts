// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine, now } from '../../../../test/gallery/world'
import ForgetInstancesDialog from './ForgetInstancesDialog.vue'

it.each([
  ['there', true],
  ['gone', false],
] as const)(
  'the dialog for an instance that is %s warns of further costs: %s',
  async (presence, isBilled) => {
    const instance: BareMetalView = { ...machine(), origin: 'added', knownSince: now, presence }
    const window = await mounted(() => h(ForgetInstancesDialog, { account, instances: [instance] }))
    onTestFinished(() => window.unmount())
    expect(window.text().includes('still billed')).toBe(isBilled)
  },
)
