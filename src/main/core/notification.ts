import type { Destination, NotificationKind } from '#shared/bridge/app'

/** A system notification; a click opens `destination`. */
export interface NotificationRequest {
  readonly words: { readonly title: string; readonly body: string }
  readonly destination: Destination
}

/**
 * Notifies the user in every way that they chose, unless they turned the kind off: the desktop, the history in the bell, a
 * webhook and mail.
 */
export type ShowNotification = (
  kind: NotificationKind,
  words: NotificationRequest['words'],
  destination: NotificationRequest['destination'],
) => void
