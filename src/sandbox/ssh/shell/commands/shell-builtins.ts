import { failed, print, printCommand, type Command } from '../command'

const exit: Command = {
  name: 'exit',
  summary: 'leave the machine',
  *run({ args: [status], shell }) {
    shell.ended = true
    if (status === undefined) return shell.status
    if (!/^\d+$/.test(status)) return yield* failed('bash: exit', `${status}: numeric argument required`, 2)
    return Number(status) & 0xff
  },
}

const logout: Command = { ...exit, name: 'logout' }

const echo: Command = {
  name: 'echo',
  summary: 'print its arguments',
  *run({ args }) {
    const bare = args[0] === '-n'
    const text = (bare ? args.slice(1) : args).join(' ')
    yield bare ? { to: 'stdout', data: text } : print(text)
    return 0
  },
}

const clear: Command = {
  name: 'clear',
  summary: 'clear the terminal',
  *run() {
    yield { to: 'stdout', data: '\x1b[H\x1b[2J\x1b[3J' }
    return 0
  },
}

const status = (name: string, summary: string, value: number): Command => ({
  name,
  summary,
  *run() {
    return value
  },
})

/** Commands about the session itself. */
export const sessionCommands: readonly Command[] = [
  clear,
  echo,
  exit,
  logout,
  printCommand('whoami', 'print your user name', ({ shell }) => shell.machine.username),
  status('true', 'succeed', 0),
  status('false', 'fail', 1),
]
