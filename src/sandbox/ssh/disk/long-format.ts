import type { Attributes } from './disk'

const letters = 'rwxrwxrwx'
const directoryBit = 0o040000
const halfYear = 182 * 86_400

export const isDirectory = (attributes: Attributes): boolean => (attributes.mode & directoryBit) !== 0

const permissions = (mode: number): string =>
  Array.from(letters, (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join('')

/** Formats a time like `ls`: "Jan 10 12:05", with the year instead of the time for old dates. */
const date = (time: number, now: number): string => {
  const at = new Date(time * 1000)
  const month = at.toUTCString().slice(8, 11)
  const day = String(at.getUTCDate()).padStart(2)
  const rest = Math.abs(now - time) > halfYear ? ` ${at.getUTCFullYear()}` : at.toISOString().slice(11, 16)
  return `${month} ${day} ${rest}`
}

/** Formats one line of `ls -l` in UTC; SFTP clients show it verbatim. `now`: epoch seconds. */
export const longFormatLine = (
  name: string,
  attributes: Attributes,
  username: string,
  now: number,
): string => {
  const owner = (attributes.uid === 0 ? 'root' : username).padEnd(8)
  const type = isDirectory(attributes) ? 'd' : '-'
  const size = String(attributes.size).padStart(9)
  const links = isDirectory(attributes) ? 2 : 1
  return `${type}${permissions(attributes.mode)} ${links} ${owner} ${owner} ${size} ${date(attributes.mtime, now)} ${name}`
}
