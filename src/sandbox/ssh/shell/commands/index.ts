import { failed, print, type Command } from '../command'
import { amdSmi } from './amd-smi'
import { fileCommands } from './files'
import { git } from './git'
import { kernelLog } from './kernel-log'
import { ls } from './ls'
import { nvidiaSmi } from './nvidia-smi'
import { processCommands } from './processes'
import { serviceCommands } from './services'
import { sessionCommands } from './shell-builtins'
import { systemCommands } from './system'
import { tmux } from './tmux'

const help = (commands: readonly Command[]): Command => ({
  name: 'help',
  summary: 'show this list',
  *run() {
    yield print('The commands of the Wheelhouse sandbox. None of them reaches your own computer.')
    for (const { name, summary } of commands) yield print(`  ${name.padEnd(12)} ${summary}`)
    return 0
  },
})

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/

const env = (commands: readonly Command[]): Command => ({
  name: 'env',
  summary: 'run a command with other variables (NAME=value…)',
  async *run({ args, ...invocation }) {
    const at = args.findIndex((argument) => !assignment.test(argument))
    const [name, ...rest] = at === -1 ? [] : args.slice(at)
    if (name === undefined) {
      for (const argument of args) yield print(argument)
      return 0
    }
    const known = commands.find((command) => command.name === name)
    if (!known) return yield* failed('env', `'${name}': No such file or directory`, 127)
    return yield* known.run({ ...invocation, args: rest })
  },
})

const all: Command[] = [
  ls,
  nvidiaSmi,
  amdSmi,
  kernelLog,
  tmux,
  git,
  ...fileCommands,
  ...processCommands,
  ...serviceCommands,
  ...sessionCommands,
  ...systemCommands,
]
all.push(help(all), env(all))

export const commands: readonly Command[] = all.sort((a, b) => (a.name < b.name ? -1 : 1))
