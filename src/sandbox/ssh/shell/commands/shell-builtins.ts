import { setTimeout as delay } from 'node:timers/promises'
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

/** Bytes of a piece of output. Each piece waits until the client has room for it. */
const pieceBytes = 16 * 1024

const yes: Command = {
  name: 'yes',
  summary: 'print a line until Ctrl+C',
  *run({ args }) {
    const line = `${args.length > 0 ? args.join(' ') : 'y'}\n`
    const piece = line.repeat(Math.ceil(pieceBytes / line.length))
    for (;;) yield { to: 'stdout', data: piece }
  },
}

/** Milliseconds after which a waiting command looks at the sandbox's clock, and whether it was interrupted. */
const lookEvery = 100

const sleep: Command = {
  name: 'sleep',
  summary: 'wait some seconds (SECONDS)',
  async *run({ args, shell }) {
    if (args.length === 0) return yield* failed('sleep', 'missing operand')
    const wrong = args.find((argument) => !/^\d{1,9}$/.test(argument))
    if (wrong !== undefined) return yield* failed('sleep', `invalid time interval '${wrong}'`)
    const end = args.reduce((at, seconds) => at + Number(seconds), shell.now())
    while (shell.now() < end) {
      await delay(lookEvery)
      yield { to: 'stdout', data: '' }
    }
    return 0
  },
}

const seq: Command = {
  name: 'seq',
  summary: 'print numbers ([FIRST [STEP]] LAST)',
  *run({ args }) {
    const wrong = args.find((argument) => !/^-?\d{1,15}$/.test(argument))
    if (wrong !== undefined) return yield* failed('seq', `invalid integer argument: '${wrong}'`)
    const numbers = args.map(Number)
    const last = numbers.at(-1)
    if (last === undefined) return yield* failed('seq', 'missing operand')
    if (numbers.length > 3) return yield* failed('seq', `extra operand '${args[3]}'`)
    const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1
    const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1
    if (step === 0) return yield* failed('seq', `invalid Zero increment value: '${args[1]}'`)
    let piece = ''
    for (let number = first; step > 0 ? number <= last : number >= last; number += step) {
      piece += `${number}\n`
      if (piece.length < pieceBytes) continue
      yield { to: 'stdout', data: piece }
      piece = ''
    }
    yield { to: 'stdout', data: piece }
    return 0
  },
}

export const sessionCommands: readonly Command[] = [
  clear,
  echo,
  exit,
  logout,
  seq,
  sleep,
  yes,
  printCommand('whoami', 'print your user name', ({ shell }) => shell.machine.username),
  status('true', 'succeed', 0),
  status('false', 'fail', 1),
]
