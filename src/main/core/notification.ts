import type { Destination, NotificationKind } from '#shared/bridge/app'

/** A system notification; a click opens `destination`. */
export interface NotificationRequest {
  readonly words: { readonly title: string; readonly body: string }
  readonly destination: Destination
}

/** Shows a system notification unless the user turned its kind off. */
export type ShowNotification = (
  kind: NotificationKind,
  words: NotificationRequest['words'],
  destination: NotificationRequest['destination'],
) => void
