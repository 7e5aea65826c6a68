// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import MachineStateCell from './MachineStateCell.vue'

const open = async (id: string, status = 'running') => {
  const window = await mounted(() => h(MachineStateCell, { account, machine: machine({ id, status }) }))
  onTestFinished(() => window.unmount())
  return window
}

it('a running machine that was not measured reads “Not checked” and opens its GPU tab', async () => {
  const window = await open('m-html')
  expect(window.text()).toContain(t('idle.unmeasured.label'))
  await window.click(window.named(/Check now/))
  await window.settled()
  const { params, query } = window.router.currentRoute.value
  expect([params.machine, query.tab]).toEqual(['m-html', 'gpu'])
})

it('a measured or stopped machine shows its state only', async () => {
  for (const [id, status] of [
    ['m-train', 'running'],
    ['m-html', 'stopped'],
  ] as const)
    expect((await open(id, status)).text()).not.toContain(t('idle.unmeasured.label'))
})
