// @vitest-environment happy-dom
import { account } from '../../../../test/gallery/world'
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { reminders } from '#shared/messages/en/reminders'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import ToastArea from '../../components/ToastArea.vue'
import { addMessages } from '../../platform/i18n'
import EventToasts from './EventToasts.vue'

let window: Mounted
afterEach(() => {
  addMessages('en', { reminders })
  window.unmount()
})

it('a reminder that is due before its messages are loaded is shown with them later', async () => {
  addMessages('en', { reminders: { toast: '' } })
  const rests = ref(false)
  window = await mounted(() => [h(EventToasts), rests.value ? h(ToastArea) : null], {}, { toasts: false })
  window.main.emit('reminders.due', {
    id: 'r',
    account,
    machine: 'm-train',
    name: 'train-llama-01',
    at: 1,
    notified: true,
  })
  addMessages('en', { reminders })
  rests.value = true
  await window.settled()
  expect(window.text()).toContain('Reminder: train-llama-01 still exists.')
})

it.each([
  [true, 'success'],
  [false, 'warning'],
])('a notice looks as its outcome: good news %s', async (isGoodNews, kind) => {
  window = await mounted(() => [h(EventToasts), h(ToastArea)], {}, { toasts: false })
  window.main.emit('app.notice', {
    title: 'Finished on train-1: make',
    body: 'After 2 h',
    isGoodNews,
    destination: { page: 'machines', account },
  })
  await window.settled()
  expect(window.find('.n-message').className).toContain(`n-message--${kind}-type`)
  expect(window.find('.n-message').textContent).toContain('Finished on train-1: make')
})
