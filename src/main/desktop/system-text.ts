import type { FailureText } from '#shared/messages/failure-text'
import { cut, oneLine } from '../core/one-line'

/** Upper bounds in characters: names from a service have none. */
const maxLength = { line: 120, text: 500 } as const

/** Returns `text` as one line for system menus, dialogs and titles. Pure. */
export const systemLine = (text: string, limit: number = maxLength.line): string => cut(oneLine(text), limit)

/** Returns a failure as three paragraphs of one line each for a system dialog. Pure. */
export const failureLines = ({ title, text, next }: FailureText): string =>
  [title, text, next].map((line) => systemLine(line, maxLength.text)).join('\n\n')

/**
 * Returns the body of a notification, which may have several lines. Linux treats it as markup (Desktop Notifications
 * Specification, "Markup"), so a name could become a link or a picture. Brackets are replaced rather than escaped, since
 * some servers show markup verbatim. Pure.
 */
export function notificationBody(text: string, platform: NodeJS.Platform): string {
  const plain = cut(text.split('\n').map(oneLine).join('\n'), maxLength.text)
  return platform === 'linux' ? plain.replaceAll('<', '‹').replaceAll('>', '›') : plain
}
