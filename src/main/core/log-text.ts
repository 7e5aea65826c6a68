import { stripVTControlCharacters } from 'node:util'
import { type JobLog, maxLog } from '#shared/bridge/job'
import { cut } from './one-line'

const controls = /[\p{Cc}\p{Bidi_Control}\uFFFD]/gu

/** Returns a log as plain lines, as a terminal would show them: a progress bar counts as its last state. Pure. */
export const plainLog = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) =>
      (line.replace(/\r+$/, '').split('\r').at(-1) ?? '').replaceAll('\t', '    ').replace(controls, ''),
    )
    .join('\n')
    .replace(/\n+$/, '')

/** Reads the answer of the shell function `log_file`. Pure. */
export function logOf(lines: readonly string[]): JobLog {
  const [first = '', ...rest] = lines
  const [, bytes] = /^log (\d+)$/.exec(first) ?? []
  if (bytes === undefined) return { kind: 'none' }
  return { kind: 'log', text: plainLog(rest.join('\n')), isCut: Number(bytes) > maxLog.bytes }
}

/** Returns the last lines of a log for a notification. Pure. */
export const lastLines = (text: string): string =>
  cut(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-maxLog.noticeLines)
      .map((line) => cut(line, maxLog.notice / maxLog.noticeLines))
      .join('\n'),
    maxLog.notice,
  )
