import type { Destination } from '#shared/bridge/app'

/** A system notification; a click opens `destination`. */
export interface NotificationRequest {
  readonly words: { readonly title: string; readonly body: string }
  readonly destination: Destination
}

export type ShowNotification = (
  words: NotificationRequest['words'],
  destination: NotificationRequest['destination'],
) => void
