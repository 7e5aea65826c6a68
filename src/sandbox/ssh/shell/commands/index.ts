import { print, type Command } from '../command'
import { fileCommands } from './files'
import { ls } from './ls'
import { nvidiaSmi } from './nvidia-smi'
import { sessionCommands } from './session'
import { systemCommands } from './system'

const help: Command = {
  name: 'help',
  summary: 'show this list',
  *run() {
    yield print('The commands of the Wheelhouse sandbox. None of them reaches your own computer.')
    for (const { name, summary } of commands) yield print(`  ${name.padEnd(12)} ${summary}`)
    return 0
  },
}

/** Every command that a sandbox machine knows. */
export const commands: readonly Command[] = [
  ...[help, ls, nvidiaSmi, ...fileCommands, ...sessionCommands, ...systemCommands].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  ),
]
