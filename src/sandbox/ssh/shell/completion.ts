import { absolutePath } from '../disk/disk'
import { DiskError } from '../disk/disk-error'
import { isDirectory } from '../disk/long-format'
import { commands } from './commands/index'
import type { Shell } from './command'

/** Completes the last word of `line`: commands for the first word, otherwise paths. Returns the result for readline. */
export function complete(line: string, shell: Shell): [string[], string] {
  const word = /\S*$/.exec(line)?.[0] ?? ''
  if (word === line.trimStart()) {
    return [commands.map(({ name }) => `${name} `).filter((name) => name.startsWith(word)), word]
  }
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  const beginning = word.slice(folder.length)
  try {
    const path = folder.startsWith('~/') ? `${shell.home}${folder.slice(1)}` : folder
    const names = shell.disk
      .list(absolutePath(shell.directory, path || '.'))
      .filter(({ name }) => name.startsWith(beginning) && /^[\w.,:@+-]+$/.test(name))
      .map(({ name, attributes }) => `${folder}${name}${isDirectory(attributes) ? '/' : ' '}`)
    return [names, word]
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return [[], word]
  }
}
