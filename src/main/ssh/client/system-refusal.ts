import { refusedFor } from './refused-address'

/** Characters of one reason. */
const longestReason = 200

/** What ssh says, as the code that ssh2 has for it. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/Connection refused/i, 'ECONNREFUSED'],
  [/timed out|not responding/i, 'ETIMEDOUT'],
  [/Could not resolve/i, 'ENOTFOUND'],
  [/No route to host/i, 'EHOSTUNREACH'],
  [/Connection (?:reset|closed)|Broken pipe/i, 'ECONNRESET'],
]
/** Warnings of the client, such as those of OpenSSH 10.1 about a key exchange that is not post-quantum. */
const warning = /^(?:\*\* |Warning: ).*\r?\n?/gm

export function reasonIn(said: string): string {
  const last = said.replace(warning, '').trim().split(/\r?\n/).at(-1) ?? ''
  return (
    reasons.find(([pattern]) => pattern.test(last))?.[1] ?? (last.slice(0, longestReason) || 'ECONNRESET')
  )
}

/** What it says of a proxy, or of the ssh of a jump host, that ended before the machine had signed it in. */
const endedOnTheWay =
  /^(?:kex_exchange_identification: .*|Connection (?:closed|reset) by UNKNOWN port \d+)\s*$/gm

/** `isJump`: by a host on the way. `isCut`: after too many attempts. */
export type SystemRefusal =
  | { readonly kind: 'key-refused'; readonly isJump?: true; readonly isCut?: true }
  | { readonly kind: 'jump-untrusted' }
  | { readonly kind: 'refused-for-a-while'; readonly seconds: number }
  | { readonly kind: 'not-reached'; readonly reason: string }

/** Why ssh did not get in, by what it said, and the ssh of each host on the way with it. Pure. */
export function refusalIn(printed: string): SystemRefusal {
  const seconds = refusedFor(printed)
  if (seconds !== undefined) return { kind: 'refused-for-a-while', seconds }
  const said = printed.replace(warning, '')
  const before = said.replace(endedOnTheWay, '')
  const isJump = before !== said
  if (/Permission denied|Too many authentication failures/.test(said)) {
    const isCut = /Too many authentication failures/.test(said)
    return { kind: 'key-refused', ...(isJump && { isJump }), ...(isCut && { isCut }) }
  }
  if (isJump && before.includes('Host key verification failed')) return { kind: 'jump-untrusted' }
  return { kind: 'not-reached', reason: reasonIn(before.trim() === '' ? said : before) }
}
