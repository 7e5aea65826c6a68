import type { FailureText } from '#shared/messages/failure-text'
import { cut, oneLine } from '../core/one-line'

/** Characters of a line, and of a text; what a service calls its machines has no limit. */
const longest = { line: 120, text: 500 } as const

/** Words with names in them, as one line for menus, dialogs and titles of the system. Pure. */
export const systemLine = (text: string, most: number = longest.line): string => cut(oneLine(text), most)

/** The words of a failure for a dialog of the system: three lines, however many a service has written. Pure. */
export const failureLines = ({ title, text, next }: FailureText): string =>
  [title, text, next].map((line) => systemLine(line, longest.text)).join('\n\n')

/**
 * The same for the body of a notification, which may have several lines. On Linux it is markup (Desktop Notifications
 * Specification, "Markup"), with links and pictures: a name must not become either. Servers that know no markup show it
 * as it is, so the brackets are replaced and not escaped. Pure.
 */
export function notificationBody(text: string, platform: NodeJS.Platform): string {
  const plain = cut(text.split('\n').map(oneLine).join('\n'), longest.text)
  return platform === 'linux' ? plain.replaceAll('<', '‹').replaceAll('>', '›') : plain
}
