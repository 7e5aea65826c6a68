import type { AccountId } from '#shared/bridge/account'
import type { NotificationKind, Settings } from '#shared/bridge/app'
import type { HandlersOf } from '#shared/bridge/index'
import type { notificationCalls, notificationEvents } from '#shared/bridge/notification'
import { createEmitter } from '#shared/emitter'
import { translate } from '#shared/messages/index'
import { defineModule, type EventsOf } from '../core/module'
import type { NotificationRequest, ShowNotification } from '../core/notification'
import { createHistory } from './history'
import { isQuiet, isUrgent } from './quiet-hours'
import { createTargets, type TargetsDeps } from './targets'

export interface NotificationsDeps extends TargetsDeps {
  readonly preferences: () => Pick<Settings, 'mutedNotifications' | 'quietHours'>
}

const testWords = () => ({
  title: translate('settings.notifications.test.title'),
  body: translate('settings.notifications.test.text'),
})

/**
 * Notifications of all modules, without the kinds that the user turned off: recorded in the history, shown by the
 * desktop unless it is quiet, and sent to the targets that the user set up.
 */
export function createNotifications(deps: NotificationsDeps) {
  const { preferences, clock } = deps
  const requests = createEmitter<NotificationRequest>()
  const history = createHistory(deps)
  const targets = createTargets(deps)
  const isMuted = (kind: NotificationKind): boolean =>
    preferences().mutedNotifications?.includes(kind) ?? false

  const show: ShowNotification = (kind, { title, body, output = '', isGoodNews = false }, destination) => {
    if (isMuted(kind)) return
    const now = clock.now()
    const shownBody = output === '' ? body : `${body}\n${output}`
    const request = { words: { title, body: shownBody, ...(isGoodNews && { isGoodNews }) }, destination }
    history.add(kind, request)
    if (isUrgent(kind) || !isQuiet(preferences().quietHours, now)) requests.emit(request)
    targets.send({ title, body, kind, at: now, isUrgent: isUrgent(kind) })
  }

  const handlers: HandlersOf<typeof notificationCalls> = {
    'notifications.test': () =>
      requests.emit({
        words: testWords(),
        destination: { page: 'settings', section: 'notifications' },
      }),
    'notifications.history': history.list,
    'notifications.markSeen': history.markSeen,
    'notifications.clear': history.clear,
    'notifications.restore': history.restore,
    'notifications.targets': targets.read,
    'notifications.setWebhook': ({ kind, address }) => targets.setWebhook(kind, address),
    'notifications.setMail': ({ to }) => targets.setMail(to),
    'notifications.removeTarget': ({ target }) => targets.remove(target),
    'notifications.testTarget': ({ target }) =>
      targets.test(target, { ...testWords(), kind: 'test', at: clock.now(), isUrgent: false }),
  }
  const events: EventsOf<typeof notificationEvents> = {
    'notifications.changed': history.onChange,
    'notifications.targetsChanged': targets.onChange,
  }
  return defineModule({
    handlers,
    events,
    forgetAccount: (account: AccountId): Promise<void> => history.forgetAccount(account),
    isMuted,
    show,
    onRequest: requests.on,
    close: targets.close,
  })
}
export type Notifications = ReturnType<typeof createNotifications>
