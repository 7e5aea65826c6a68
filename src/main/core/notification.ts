import type { Destination, NotificationKind } from '#shared/bridge/app'

export interface NotificationWords {
  readonly title: string
  readonly body: string
  /** Whether the window shows it as a success, not as a warning. */
  readonly isGoodNews?: boolean
}

/** A system notification; a click opens `destination`. */
export interface NotificationRequest {
  readonly words: NotificationWords
  readonly destination: Destination
}

/**
 * Notifies the user in every way that they chose, unless they turned the kind off: the desktop, the history in the bell, a
 * webhook and mail. `output`: output of a machine, which may contain secrets, so it is neither sent nor mailed.
 */
export type ShowNotification = (
  kind: NotificationKind,
  words: NotificationWords & { readonly output?: string },
  destination: NotificationRequest['destination'],
) => void
