import { posix } from 'node:path'
import { absolutePath, type DirectoryEntry } from '../../disk/disk'
import { DiskError } from '../../disk/disk-error'
import { isDirectory, longFormatLine } from '../../disk/long-format'
import { failed, print, readOptions, type Command, type Shell } from '../command'

/** Replaces control characters, which could move the user's cursor. */
const printable = (name: string): string => name.replace(/\p{Cc}/gu, '?')

/** Arranges names in columns in a terminal of `width` characters, like `ls`. */
function inColumns(names: readonly string[], width: number): readonly string[] {
  const cell = names.reduce((longest, name) => Math.max(longest, name.length), 0) + 2
  const columns = Math.max(1, Math.floor(width / cell))
  const rows = Math.ceil(names.length / columns)
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_column, column) => names[column * rows + row] ?? '')
      .map((name) => name.padEnd(cell))
      .join('')
      .trimEnd(),
  )
}

const byName = (a: DirectoryEntry, b: DirectoryEntry): number => (a.name < b.name ? -1 : 1)

function lines(
  entries: readonly DirectoryEntry[],
  letters: ReadonlySet<string>,
  shell: Shell,
): readonly string[] {
  const visible = entries
    .filter(({ name }) => letters.has('a') || letters.has('A') || !name.startsWith('.'))
    .sort(letters.has('t') ? (one, other) => other.attributes.mtime - one.attributes.mtime : byName)
  if (letters.has('l')) {
    return visible.map(({ name, attributes }) =>
      longFormatLine(printable(name), attributes, shell.machine.username, shell.now()),
    )
  }
  const names = visible.map(({ name }) => printable(name))
  const width = shell.columns()
  return width === undefined || letters.has('1') ? names : inColumns(names, width)
}

function entriesOf(
  path: string,
  operand: string,
  letters: ReadonlySet<string>,
  shell: Shell,
): DirectoryEntry[] {
  const attributes = shell.disk.attributes(path)
  if (!isDirectory(attributes) || letters.has('d')) return [{ name: operand, attributes }]
  const dots = [
    { name: '.', attributes },
    { name: '..', attributes: shell.disk.attributes(posix.dirname(path)) },
  ]
  return [...(letters.has('a') ? dots : []), ...shell.disk.list(path)]
}

export const ls: Command = {
  name: 'ls',
  summary: 'list files (-l: in detail, -a: hidden ones too)',
  *run({ args, shell }) {
    const { letters, operands, unknown } = readOptions(args, 'aAdhlt1')
    if (unknown) return yield* failed('ls', `invalid option -- '${unknown}'`, 2)
    let status = 0
    for (const [index, operand] of (operands.length === 0 ? ['.'] : operands).entries()) {
      try {
        const entries = entriesOf(absolutePath(shell.directory, operand), operand, letters, shell)
        if (operands.length > 1) yield print(`${index > 0 ? '\n' : ''}${printable(operand)}:`)
        for (const line of lines(entries, letters, shell)) yield print(line)
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        status = yield* failed('ls', `cannot access '${operand}': ${error.message}`, 2)
      }
    }
    return status
  },
}
