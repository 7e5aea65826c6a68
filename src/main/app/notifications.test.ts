import { expect, it } from 'vitest'
import { type NotificationKind, notificationKinds } from '#shared/bridge/app'
import type { NotificationRequest } from '../core/notification'
import { createNotifications } from './notifications'

const words = { title: 'Idle', body: 'train-01' }
const destination = { page: 'connect' } as const

function setUp(mutedNotifications?: NotificationKind[]) {
  const shown: NotificationRequest[] = []
  const notifications = createNotifications(() => ({ mutedNotifications }))
  notifications.onRequest((request) => void shown.push(request))
  return { notifications, shown }
}

it('every kind of notification is shown until the user turns it off', () => {
  const { notifications, shown } = setUp()
  for (const kind of notificationKinds) notifications.show(kind, words, destination)
  expect(shown).toHaveLength(notificationKinds.length)
})

it('a kind that is turned off is not shown, and other kinds are', () => {
  const { notifications, shown } = setUp(['idle'])
  notifications.show('idle', words, destination)
  notifications.show('budget', { ...words, title: 'Budget' }, destination)
  expect(shown.map((request) => request.words.title)).toEqual(['Budget'])
})

it('a test notification is shown even if all kinds are turned off, and opens its settings', () => {
  const { notifications, shown } = setUp([...notificationKinds])
  notifications.handlers['notifications.test']()
  expect(shown).toMatchObject([{ destination: { page: 'settings', section: 'notifications' } }])
})
