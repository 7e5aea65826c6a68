// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { CheckUpView } from '#shared/bridge/check-up'
import type { MachineView } from '#shared/bridge/fleet'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CheckUpNotice from './CheckUpNotice.vue'

async function open(changes: Partial<MachineView>, running: CheckUpView['running'] = null) {
  let opened = 0
  const shown = machine({ startedAt: now - 600, ...changes })
  const window = await mounted(
    () => h(CheckUpNotice, { account, machine: shown, onOpen: () => (opened += 1) }),
    {
      'checkUp.read': ({ account: id, machine: of }) => ({
        account: id,
        machine: of,
        running,
        reports: [],
        scripts: [],
      }),
    },
  )
  onTestFinished(() => window.unmount())
  return { window, opened: () => opened }
}
const title = () => t('checkUp.offer.title')

it('a new machine offers its first check-up until the user declines', async () => {
  const { window, opened } = await open({})
  expect(window.text()).toContain(title())
  await window.click(window.named(t('checkUp.offer.open')))
  expect(opened()).toBe(1)
  await window.click(window.named(t('checkUp.offer.decline')))
  expect(window.text()).not.toContain(title())
})

it('a machine that is older, stopped or being checked offers none', async () => {
  for (const changes of [{ startedAt: now - 10_000 }, { startedAt: null }, { status: 'stopped' }])
    expect((await open(changes)).window.text()).not.toContain(title())
  expect((await open({}, 'disk')).window.text()).not.toContain(title())
})
