import type { Destination } from '#shared/bridge/app'

/** A notification of the system's; a click on it leads to the destination. */
export interface NotificationRequest {
  readonly words: { readonly title: string; readonly body: string }
  readonly destination: Destination
}

/** Shows a notification, where the system can. */
export type ShowNotification = (
  words: NotificationRequest['words'],
  destination: NotificationRequest['destination'],
) => void
