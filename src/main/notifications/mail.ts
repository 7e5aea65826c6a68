import { type ChildProcess, spawn } from 'node:child_process'
import type { DeliveryOutcome } from '#shared/bridge/notification'
import { FailureError, type InvalidReason } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import { onAbort } from '../core/on-abort'
import { cut, oneLine } from '../core/one-line'
import { findProgram } from '../ssh/launcher/find-program'
import { terminalEnvironment } from '../ssh/launcher/environment'
import type { Message } from './message'

/** Mail programs that read a whole mail, with its recipients, from standard input. */
const mailers = ['sendmail', '/usr/sbin/sendmail', '/usr/lib/sendmail', 'msmtp'] as const

/** Finds the system's mail program; null: none. Windows has no such program. */
export const findMailer = (
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  places: readonly string[] = mailers,
): Promise<string | null> =>
  platform === 'win32' ? Promise.resolve(null) : findProgram(places, platform, terminalEnvironment(env))

const maxAddressLength = 254
/** One plain address: no list, no name, no quotes, which could be read as more than one recipient. */
const mailAddress = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

const refuse = (reason: InvalidReason): never => {
  throw new FailureError({ kind: 'invalid-input', field: 'mailAddress', reason })
}

/** Reads a typed address. Fails with invalid-input (mailAddress): required, malformed. Pure. */
export function readMailAddress(typed: string): string {
  const address = typed.trim()
  if (address === '') return refuse('required')
  if (address.length > maxAddressLength || !mailAddress.test(address)) return refuse('malformed')
  return address
}

/** Upper bound on the bytes of one encoded word, so that it fits into 75 characters (RFC 2047, 2). */
const maxWordBytes = 45

/** Encodes a header as words of base64, on several lines if it is long (RFC 2047). */
function encodedHeader(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of oneLine(text)) {
    if (Buffer.byteLength(word + character) > maxWordBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  words.push(word)
  return words.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join('\n ')
}

/** Date of a mail in UTC (RFC 5322, 3.3). */
const dateOf = (at: number): string => new Date(at * 1000).toUTCString().replace('GMT', '+0000')

/** Returns the whole mail. All text is encoded, so that no name can add a header or end the mail. Pure. */
export const mailText = (to: string, { title, body, at }: Message): string =>
  [
    `To: ${to}`,
    `Subject: ${encodedHeader(`Wheelhouse: ${title}`)}`,
    `Date: ${dateOf(at)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
    'Auto-Submitted: auto-generated',
    '',
    ...(Buffer.from(`${title}\n\n${body}\n`)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '',
  ].join('\n')

const mailerTimeoutMs = 60_000
/** Time for the rest of the errors after the program ended. A process that it started may leave them open. */
const errorsTimeoutMs = 1_000
const maxMessageLength = 300

export interface MailOptions {
  readonly env: NodeJS.ProcessEnv
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** Writes a mail to a started program, and returns the outcome. The program has no streams if it could not start. */
const outcomeOf = (
  child: ChildProcess,
  mail: string,
  { signal, timeoutMs = mailerTimeoutMs }: MailOptions,
): Promise<DeliveryOutcome> =>
  new Promise((resolve) => {
    let stopWaiting = (): void => undefined
    const end = (outcome: DeliveryOutcome): void => {
      stopWaiting()
      child.kill('SIGKILL')
      child.stderr?.destroy()
      resolve(outcome)
    }
    const silent: DeliveryOutcome = { kind: 'mailer-silent', seconds: Math.round(timeoutMs / 1000) }
    const timer = setTimeout(() => end(silent), timeoutMs)
    let errorsTimer: NodeJS.Timeout | undefined
    const forget = onAbort(signal, () => end(silent))
    stopWaiting = () => {
      clearTimeout(timer)
      clearTimeout(errorsTimer)
      forget()
    }
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-4_000)))
    child.on('error', (error) => end({ kind: 'failed', failure: failureOf(error, 'notifications.send') }))
    const endRefused = (code: number | null): void => {
      const lines = errors.split('\n').filter((line) => line.trim() !== '')
      end({
        kind: 'mailer-failed',
        code,
        message: cut(oneLine(lines.at(-1) ?? '').trim(), maxMessageLength),
      })
    }
    child.on('exit', (code) => {
      if (code === 0) {
        stopWaiting()
        // The streams stay open: a process that the program started may still deliver the mail.
        return resolve({ kind: 'sent' })
      }
      errorsTimer = setTimeout(() => endRefused(code), errorsTimeoutMs)
    })
    child.on('close', endRefused)
    // A program that ends without reading its input closes the pipe. The exit code is the result.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(mail)
  })

/**
 * Hands a mail to the mail program and returns the outcome. The recipient is on standard input, since every user of the
 * computer can read arguments. Never rejects.
 */
export async function sendMail(
  program: string,
  to: string,
  message: Message,
  options: MailOptions,
): Promise<DeliveryOutcome> {
  try {
    const child = spawn(program, ['-i', '-t'], {
      env: terminalEnvironment(options.env),
      stdio: ['pipe', 'ignore', 'pipe'],
      windowsHide: true,
    })
    return await outcomeOf(child, mailText(to, message), options)
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, 'notifications.send') }
  }
}
