import type { DeliveryOutcome, WebhookKind } from '#shared/bridge/notification'
import { type Failure, FailureError, type InvalidReason } from '#shared/failure'
import { changedNothing } from '../core/at-most-once'
import { failureOf } from '../core/failure-of'
import { isRecord } from '../core/is-record'
import { cut, oneLine } from '../core/one-line'
import type { RawAnswer } from '../service/answer'
import { isLoopback } from '../service/base-url'
import { parseJson } from '../service/parse-json'
import { send, type Transport } from '../service/transport'
import type { Message } from './message'

/*
 * Webhooks. Their addresses are secrets: they are in memory and in the keychain only. Texts and failures contain at most
 * the masked host.
 */

/** Limits of one request (service/transport.ts). */
export const webhookLimits = { timeoutSeconds: 15, maxAnswerBytes: 64 * 1024 } as const

export interface Webhook {
  readonly kind: WebhookKind
  readonly url: string
}

const refuse = (reason: InvalidReason): never => {
  throw new FailureError({ kind: 'invalid-input', field: 'webhook', reason })
}

/** Name of an ntfy topic (docs.ntfy.sh/publish). */
const ntfyTopic = /^[-_A-Za-z0-9]{1,64}$/

const topicOf = ({ pathname }: URL): string => pathname.replace(/\/$/, '').split('/').at(-1) ?? ''

/**
 * Reads a typed address. Fails with invalid-input (webhook): required, not-a-url, insecure-url (http to another
 * computer), loopback-only, malformed (an ntfy address without a topic). Pure.
 */
export function readWebhook(kind: WebhookKind, typed: string, loopbackOnly: boolean): Webhook {
  const text = typed.trim()
  if (text === '') return refuse('required')
  if (!URL.canParse(text)) return refuse('not-a-url')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('not-a-url')
  const isLocal = isLoopback(url.hostname)
  if (url.protocol === 'http:' && !isLocal) return refuse('insecure-url')
  if (loopbackOnly && !isLocal) return refuse('loopback-only')
  if (kind === 'ntfy' && !ntfyTopic.test(topicOf(url))) return refuse('malformed')
  return { kind, url: url.href }
}

/** Returns the host without its subdomains, which are secret for some services. Addresses of this computer are whole. Pure. */
export function maskedHost(address: string): string {
  const { host, hostname } = new URL(address)
  if (isLoopback(hostname)) return host
  const labels = hostname.split('.')
  if (hostname.startsWith('[') || /^\d+$/.test(labels.at(-1) ?? '')) return '•••'
  return labels.length > 2 ? `•••.${labels.slice(-2).join('.')}` : hostname
}

const markdown = /[\\*_~`|>#[\]()<@]/g
const escapedForDiscord = (text: string): string => text.replace(markdown, '\\$&')

const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Upper bound on `content` (Discord, Execute Webhook). */
const maxDiscordLength = 2_000
/** SUPPRESS_EMBEDS (Discord, Message Flags). */
const withoutEmbeds = 4

/** Upper bound on the bytes of a message; ntfy.sh turns a longer one into an attachment (docs.ntfy.sh/publish). */
const maxNtfyBytes = 4_000

/** Truncates a text to a number of bytes without splitting a character. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const ellipsis = '…'
  // `stream` drops the character that the cut splits.
  const kept = Buffer.from(text).subarray(0, most - Buffer.byteLength(ellipsis))
  return `${new TextDecoder().decode(kept, { stream: true })}${ellipsis}`
}

const textOf = ({ title, body }: Message): string => (body === '' ? title : `${title}\n${body}`)

function bodyOf(kind: WebhookKind, url: URL, message: Message): object {
  switch (kind) {
    case 'slack':
      return {
        text: escapedForSlack(textOf(message)),
        mrkdwn: false,
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
      }
    case 'discord':
      return {
        content: cut(escapedForDiscord(textOf(message)), maxDiscordLength),
        allowed_mentions: { parse: [] },
        flags: withoutEmbeds,
      }
    case 'ntfy':
      return {
        topic: topicOf(url),
        title: message.title,
        message: cutBytes(message.body === '' ? message.title : message.body, maxNtfyBytes),
        priority: message.isUrgent ? 4 : 3,
      }
    case 'json':
      return {
        application: 'Wheelhouse',
        kind: message.kind,
        title: message.title,
        body: message.body,
        time: new Date(message.at * 1000).toISOString(),
        urgent: message.isUrgent,
      }
  }
}

/** Returns the request for a message. A user name and password of the address become a header, as fetch requires. Pure. */
export function webhookRequest({ kind, url: address }: Webhook, message: Message) {
  const url = new URL(address)
  const body = bodyOf(kind, url, message)
  const [username, password] = [decodedOr(url.username), decodedOr(url.password)]
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const headers = username === '' && password === '' ? {} : { authorization: `Basic ${credentials}` }
  url.username = ''
  url.password = ''
  url.hash = ''
  // ntfy reads JSON at its root only; the topic is in the body.
  if (kind === 'ntfy') url.pathname = url.pathname.replace(/[^/]*\/?$/, '')
  // Without it Discord accepts messages that it then discards.
  if (kind === 'discord') url.searchParams.set('wait', 'true')
  return { url: url.href, headers, body }
}

/** Shortest part of an address that counts as secret. */
const minSecretLength = 4
const maxMessageLength = 200

/** Whether a text contains a part of the address: error messages of servers may repeat it. */
function repeatsAddress(text: string, address: string): boolean {
  const { pathname, search, username, password, hostname } = new URL(address)
  const parts = [...`${pathname}${search}`.split(/[/?&=]/), username, password, hostname]
  const secrets = parts.flatMap((part) => [part, decodedOr(part)])
  const searched = text.toLowerCase()
  return secrets.some((secret) => secret.length >= minSecretLength && searched.includes(secret.toLowerCase()))
}

function decodedOr(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the reason that a target gave: Slack's code, or the field `message` (Discord) or `error` (ntfy). */
function messageOf({ text }: RawAnswer, address: string): string | null {
  const parsed = parseJson(text)?.json
  const field = isRecord(parsed) ? (parsed['message'] ?? parsed['error']) : text.trim()
  if (typeof field !== 'string' || (!isRecord(parsed) && !/^[a-z_]{3,60}$/.test(field))) return null
  // The whole text: after the cut, a part of the address could be incomplete.
  return repeatsAddress(field, address) ? null : cut(oneLine(field), maxMessageLength)
}

const isPage = (text: string): boolean => /^\s*<(!doctype\s+html|html)[\s>]/i.test(text)

function secondsOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const seconds = /^\d+(\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : Date.parse(retryAfter) / 1000 - now
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

/** Returns the meaning of an answer. `now`: epoch seconds. Pure. */
function judgeAnswer(answer: RawAnswer, { kind, url }: Webhook, now: number): DeliveryOutcome {
  const { status } = answer
  if (status >= 300 && status < 400) return { kind: 'redirected' }
  if (status === 429) return { kind: 'busy', retryAfter: secondsOf(answer.retryAfter, now) }
  if (status === 408 || status >= 500) return { kind: 'unconfirmed', status }
  const isDone = status >= 200 && status < 300
  // A network that asks for a sign-in answers every request with its page. Other programs may confirm with a page.
  if (isPage(answer.text) && !(isDone && kind === 'json')) return { kind: 'web-page', status }
  if (isDone) return { kind: 'sent' }
  return { kind: 'refused', status, message: messageOf(answer, url) }
}

const maskedFailure = (failure: Failure, address: string): Failure =>
  'host' in failure ? { ...failure, host: maskedHost(address) } : failure

/** Sends one message, once, and returns the outcome. Never rejects. */
export async function sendWebhook(
  transport: Transport,
  webhook: Webhook,
  message: Message,
  signal?: AbortSignal,
): Promise<DeliveryOutcome> {
  const { url, headers, body } = webhookRequest(webhook, message)
  try {
    const answer = await send(transport, { baseUrl: url, method: 'POST', path: '', headers, body, signal })
    return judgeAnswer(answer, webhook, transport.now())
  } catch (error) {
    const failure = failureOf(error, 'notifications.send')
    // Electron reports a redirect as an error, Node as an answer.
    if (failure.kind === 'unexpected-answer' && failure.received === 'a redirect')
      return { kind: 'redirected' }
    return {
      kind: changedNothing(error) ? 'failed' : 'unknown',
      failure: maskedFailure(failure, webhook.url),
    }
  }
}
