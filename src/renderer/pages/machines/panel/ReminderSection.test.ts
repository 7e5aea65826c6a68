// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { account, machine } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import ReminderSection from './ReminderSection.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const labelOf = (input: HTMLElement) => window.find(`label[for="${input.id}"]`).textContent
const labelled = (label: string) =>
  window.all('input').find((input) => labelOf(input) === label) ?? document.body
const wrongFields = () => window.all('[aria-invalid=true]').map(labelOf)

describe('ReminderSection', () => {
  const open = async () => {
    window = await mounted(() => h(ReminderSection, { account, machine: machine() }), {
      'reminders.add': ({ at }) => ({
        id: 'r-1',
        account,
        machine: 'm-train',
        name: 'train-llama-01',
        at,
        notified: false,
      }),
    })
  }

  it('an invalid time is marked and disables the button', async () => {
    await open()
    const button = window.named(t('reminders.add'))
    await window.type(labelled(t('reminders.time')), '25:00')
    expect([wrongFields(), button.hasAttribute('disabled')]).toEqual([[t('reminders.time')], true])
    await window.type(labelled(t('reminders.time')), '23:59')
    expect([wrongFields(), button.hasAttribute('disabled')]).toEqual([[], false])
  })

  it('a duration in hours starts now', async () => {
    await open()
    await window.click(t('reminders.after'))
    await window.type(labelled(t('reminders.hours')), '2,5')
    const before = Math.floor(Date.now() / 1000) + 9_000
    await window.submit()
    const [added] = calls('reminders.add')
    expect(added).toMatchObject({ account, machine: 'm-train' })
    expect(added).toHaveProperty(
      'at',
      expect.toSatisfy((at: number) => at >= before - 5 && at <= before + 5),
    )
  })
})
