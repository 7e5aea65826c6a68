import type { NotificationKind, Settings } from '#shared/bridge/app'
import { createEmitter } from '#shared/emitter'
import { translate } from '#shared/messages/index'
import { defineModule } from '../core/module'
import type { NotificationRequest, ShowNotification } from '../core/notification'

/** System notifications of all modules, without the kinds that the user turned off. */
export function createNotifications(settings: () => Pick<Settings, 'mutedNotifications'>) {
  const requests = createEmitter<NotificationRequest>()
  const isMuted = (kind: NotificationKind): boolean => settings().mutedNotifications?.includes(kind) ?? false
  const show: ShowNotification = (kind, words, destination) => {
    if (!isMuted(kind)) requests.emit({ words, destination })
  }
  return defineModule({
    handlers: {
      'notifications.test': () =>
        requests.emit({
          words: {
            title: translate('settings.notifications.test.title'),
            body: translate('settings.notifications.test.text'),
          },
          destination: { page: 'settings', section: 'notifications' },
        }),
    },
    events: {},
    forgetAccount: 'keeps-nothing',
    isMuted,
    show,
    onRequest: requests.on,
  })
}
export type Notifications = ReturnType<typeof createNotifications>
