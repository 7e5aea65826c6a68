import { isIP } from 'node:net'
import { FailureError, type InvalidReason } from '#shared/failure'

/** The fields of an SSH connection that a failure can name. */
export type SshField = 'user' | 'host' | 'port' | 'identityFile' | 'jumpHost' | 'options' | 'command'

export const refused = (field: SshField, reason: InvalidReason): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i
// "127.1", "0x7f.1" and "2130706433" are addresses to the system's resolver, though they don't look like it.
const numericLabel = /^(?:\d+|0x[0-9a-f]*)$/i

/** A plain IPv4 or IPv6 address (without zone) or a plain host name. */
export const isPlainHost = (text: string): boolean => {
  if (text.includes('%')) return false
  if (isIP(text) !== 0) return true
  const labels = text.split('.')
  const last = labels.at(-1) ?? ''
  return text.length <= 253 && labels.every((part) => label.test(part)) && !numericLabel.test(last)
}

/** Upper bound on a user name: accounts of Windows may include a domain. */
const maxUserLength = 256
/**
 * Characters that ssh refuses in a user name (valid_ruser, OpenSSH 9.6), and `%`, `$`, which ssh 10.0 expands in User.
 * Invisible characters could make a name look like another.
 */
const neverInUsers = /[\p{C}'"`;&<>|(){}%$]|\s-|\\$|[^\S ]|^ | $/u

/** Whether ssh accepts a user name. No shell may read it unquoted. */
export const isPlainUser = (text: string): boolean =>
  text !== '' && text.length <= maxUserLength && !text.startsWith('-') && !neverInUsers.test(text)

/** Whether a name needs no quotes in a shell: ssh passes a jump host's user to a shell unquoted (OpenSSH 9.2, ssh.c). */
export const isShellUser = (text: string): boolean => /^[a-z0-9_][a-z0-9_.-]{0,63}$/i.test(text)

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535

/** Checks a host. Fails with invalid-input (host). */
export const plainHost = (text: string | null): string => {
  if (text === null || text === '') throw refused('host', 'required')
  if (!isPlainHost(text)) throw refused('host', 'not-a-host')
  return text
}

/** Checks a user name. Fails with invalid-input (user). */
export const plainUser = (text: string | null): string => {
  if (text === null || text === '') throw refused('user', 'required')
  if (!isPlainUser(text)) throw refused('user', 'not-a-user-name')
  return text
}

/** Checks a TCP port. Fails with invalid-input (port). */
export const plainPort = (port: number): number => {
  if (!isPort(port)) throw refused('port', 'not-a-port')
  return port
}

/** A host through which ssh connects. `user` null: the machine's user. */
export interface JumpHost {
  readonly user: string | null
  readonly host: string
  readonly port: number
}

/** Parses `host`, `user@host` or `user@host:port`; null for anything else, including IPv6 addresses and several hosts. */
export const readJumpHost = (text: string): JumpHost | null => {
  const [matched, user = null, host = '', port = '22'] =
    /^(?:([^@]*)@)?([^@:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (matched === undefined || !isPlainHost(host) || !isPort(Number(port))) return null
  return user === null || isShellUser(user) ? { user, host, port: Number(port) } : null
}

/** Value of a machine that uses no jump host, whatever the account sets (ssh_config(5), ProxyJump). */
export const noJumpHost = 'none'

/** Checks a jump host, or `none`. Fails with invalid-input (jumpHost). */
export const plainJumpHost = (text: string): string => {
  if (text !== noJumpHost && readJumpHost(text) === null) throw refused('jumpHost', 'malformed')
  return text
}

/**
 * Whether a path can be passed to ssh. ssh_config(5) expands `${NAME}` in file names and has no escape for it. A line ends
 * at a control character. Half a surrogate pair reaches no program. On Windows terminals change `%` and `"`.
 */
export const isPlainPath = (path: string, platform: NodeJS.Platform): boolean =>
  !path.includes('${') && !/[\p{Cc}\p{Cs}]/u.test(path) && !(platform === 'win32' && /[%"]/.test(path))

/** Quotes a file name for ssh_config(5): `%` begins a token, spaces end a word, and a backslash escapes inside quotes. */
export const sshConfigQuoted = (path: string): string => {
  const tokenFree = path.replaceAll('%', '%%')
  return /^[\w./:%-]+$/.test(tokenFree) ? tokenFree : `"${tokenFree.replace(/["\\]/g, '\\$&')}"`
}

/** Quotes a user name for ssh_config(5). OpenSSH before 8.7 knows no escapes, so quotes are used only for a space or `\\\\`. */
export const sshConfigUser = (user: string): string =>
  /\s|\\\\|^[#=]/.test(user) ? `"${user.replaceAll('\\', '\\\\')}"` : user

/** Characters of a window title that a task bar can show. */
const maxTitleLength = 80

/**
 * Turns a machine's name into a window title: one line without control, format and separator characters, and without a
 * leading sign that a terminal could read as an option. `fallback`: used if nothing is left.
 */
export const windowTitle = (name: string, fallback: string): string => {
  const line = name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/^[\s+-]+/u, '')
    .trim()
  return [...(line || fallback)].slice(0, maxTitleLength).join('')
}
