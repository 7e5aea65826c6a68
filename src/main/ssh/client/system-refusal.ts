import { refusedFor } from './refused-address'

/** Characters of a reason that are kept. */
const maxReasonLength = 200

/** Messages of ssh, and the error codes that ssh2 reports in the same cases. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/Connection refused/i, 'ECONNREFUSED'],
  [/timed out|not responding/i, 'ETIMEDOUT'],
  [/Could not resolve/i, 'ENOTFOUND'],
  [/No route to host/i, 'EHOSTUNREACH'],
  [/Connection (?:reset|closed)|Broken pipe/i, 'ECONNRESET'],
]
/** Warnings of ssh, such as OpenSSH 10.1 prints about a key exchange that is not post-quantum. */
const warning = /^(?:\*\* |Warning: ).*\r?\n?/gm

/** Returns the reason in the last line of ssh's output. */
export function reasonIn(output: string): string {
  const last = output.replace(warning, '').trim().split(/\r?\n/).at(-1) ?? ''
  return (
    reasons.find(([pattern]) => pattern.test(last))?.[1] ?? (last.slice(0, maxReasonLength) || 'ECONNRESET')
  )
}

/** Messages about a proxy, or the ssh of a jump host, that ended before the machine had accepted the sign-in. */
const jumpEnded = /^(?:kex_exchange_identification: .*|Connection (?:closed|reset) by UNKNOWN port \d+)\s*$/gm

/** `isJump`: by a jump host. `isCut`: after too many attempts. */
export type SystemRefusal =
  | { readonly kind: 'key-refused'; readonly isJump?: true; readonly isCut?: true }
  | { readonly kind: 'jump-untrusted' }
  | { readonly kind: 'refused-for-a-while'; readonly seconds: number }
  | { readonly kind: 'not-reached'; readonly reason: string }

/** Returns why ssh did not sign in, by its output, which includes the output of the ssh for each jump host. */
export function refusalIn(output: string): SystemRefusal {
  const seconds = refusedFor(output)
  if (seconds !== undefined) return { kind: 'refused-for-a-while', seconds }
  const messages = output.replace(warning, '')
  const cause = messages.replace(jumpEnded, '')
  const isJump = cause !== messages
  if (/Permission denied|Too many authentication failures/.test(messages)) {
    const isCut = /Too many authentication failures/.test(messages)
    return { kind: 'key-refused', ...(isJump && { isJump }), ...(isCut && { isCut }) }
  }
  if (isJump && cause.includes('Host key verification failed')) return { kind: 'jump-untrusted' }
  return { kind: 'not-reached', reason: reasonIn(cause.trim() === '' ? messages : cause) }
}
