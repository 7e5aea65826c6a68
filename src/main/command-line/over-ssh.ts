import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'

/** Runs ssh in this terminal, with the options and host key that a terminal of the application has. */
async function runSsh(
  context: Context,
  word: string,
  isAnyway: boolean,
  parts: { readonly options?: readonly string[]; readonly command?: readonly string[] },
): Promise<number> {
  const account = await context.account()
  const { machine } = await context.machine(account, word)
  const { file, options, host, folder } = await context.call('ssh.command', {
    account: account.id,
    machine: machine.id,
    ...(isAnyway && { anyway: true }),
  })
  const command = parts.command ?? []
  // A RemoteCommand of the user's configuration would make ssh refuse a command.
  const own = command.length > 0 ? ['-o', 'RemoteCommand=none'] : []
  const args = [...own, ...options, ...(parts.options ?? []), '--', host, ...command]
  // The options name files in this folder on Windows.
  return context.terminal.run(file, args, process.platform === 'win32' ? folder : undefined)
}

export const shell = (
  context: Context,
  { words: [word = ''], rest, isAnyway }: CommandInput,
): Promise<number> => runSsh(context, word, isAnyway, { command: rest })

export function runCommand(
  context: Context,
  { words: [word = ''], rest, isAnyway }: CommandInput,
): Promise<number> {
  if (rest.length === 0)
    throw new CommandFailure('usage', context.text('errors.missingWord', { word: '-- COMMAND' }))
  return runSsh(context, word, isAnyway, { options: ['-T'], command: rest })
}

function checkedPort(context: Context, port: string): string {
  const number = Number(port)
  if (/^\d+$/.test(port) && number >= 1 && number <= 65_535) return String(number)
  throw new CommandFailure('usage', context.text('errors.port', { port }))
}

export function forward(context: Context, { words, isAnyway }: CommandInput): Promise<number> {
  const [word = '', remote = '', local = remote] = words
  const ports = [checkedPort(context, local), 'localhost', checkedPort(context, remote)].join(':')
  // Only this computer can use the port; ssh ends if it is not free.
  const options = ['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `127.0.0.1:${ports}`]
  return runSsh(context, word, isAnyway, { options })
}
