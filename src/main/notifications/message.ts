import type { NotificationKind } from '#shared/bridge/app'
import { cut, oneLine } from '../core/one-line'

/** A notification for targets besides the desktop. */
export interface Message {
  readonly kind: NotificationKind | 'test'
  readonly title: string
  /** May have several lines. */
  readonly body: string
  /** Epoch seconds. */
  readonly at: number
  readonly isUrgent: boolean
}

const maxTitleLength = 200
const maxLineLength = 300
const maxLines = 20

/** Bounds the texts of a message, which contain names from services, and removes misleading characters. Pure. */
export const boundedMessage = (message: Message): Message => ({
  ...message,
  title: cut(oneLine(message.title).trim(), maxTitleLength),
  body: message.body
    .split(/\r\n|[\n\r]/)
    .slice(0, maxLines)
    .map((line) => cut(oneLine(line), maxLineLength))
    .join('\n'),
})
