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

/**
 * Bounds the texts of a notification, which contain names from services, and removes misleading characters. A body with
 * too many lines ends with a line "…". Pure.
 */
export function boundedWords<Words extends Pick<Message, 'title' | 'body'>>(words: Words): Words {
  const lines = words.body.split(/\r\n|[\n\r]/)
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), '…'] : lines
  return {
    ...words,
    title: cut(oneLine(words.title).trim(), maxTitleLength),
    body: shown.map((line) => cut(oneLine(line), maxLineLength)).join('\n'),
  }
}
