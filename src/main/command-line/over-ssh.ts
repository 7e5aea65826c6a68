import { posix, win32 } from 'node:path'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'

/** Checks the machine's host key, and returns ssh with the options that a terminal of the application has. */
async function sshTo(context: Context, word: string, isAnyway: boolean) {
  const account = await context.account()
  const { machine } = await context.machine(account, word)
  const command = await context.call('ssh.command', {
    account: account.id,
    machine: machine.id,
    ...(isAnyway && { anyway: true }),
  })
  // The options name a file in this folder on Windows.
  return { ...command, folder: process.platform === 'win32' ? command.folder : undefined }
}

/** Runs ssh in this terminal and returns its exit code. */
async function runSsh(
  context: Context,
  word: string,
  isAnyway: boolean,
  parts: { readonly options?: readonly string[]; readonly command?: readonly string[] },
): Promise<number> {
  const { file, options, host, folder } = await sshTo(context, word, isAnyway)
  const command = parts.command ?? []
  // A RemoteCommand of the user's configuration would make ssh refuse a command.
  const own = command.length > 0 ? ['-o', 'RemoteCommand=none'] : []
  const args = [...own, ...options, ...(parts.options ?? []), '--', host, ...command]
  return context.terminal.run(file, args, folder)
}

export const shell = (context: Context, { words: [word = ''], rest, has }: CommandInput): Promise<number> =>
  runSsh(context, word, has('anyway'), { command: rest })

export function runCommand(
  context: Context,
  { words: [word = ''], rest, has }: CommandInput,
): Promise<number> {
  if (rest.length === 0)
    throw new CommandFailure('usage', context.text('errors.missingWord', { word: '-- COMMAND' }))
  return runSsh(context, word, has('anyway'), { options: ['-T'], command: rest })
}

function checkedPort(context: Context, port: string): string {
  const number = Number(port)
  if (/^\d+$/.test(port) && number >= 1 && number <= 65_535) return String(number)
  throw new CommandFailure('usage', context.text('errors.port', { port }))
}

export function forward(context: Context, { words, has }: CommandInput): Promise<number> {
  const [word = '', remote = '', local = remote] = words
  const ports = [checkedPort(context, local), 'localhost', checkedPort(context, remote)].join(':')
  // Only this computer can use the port; ssh ends if it is not free.
  const options = ['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `127.0.0.1:${ports}`]
  return runSsh(context, word, has('anyway'), { options })
}

/** Splits `MACHINE:PATH`; null for a path of this computer, as scp does. */
function remotePath(word: string): { readonly machine: string; readonly path: string } | null {
  const [, machine, path] = /^([^/\\]{2,}?):(.*)$/s.exec(word) ?? []
  return machine === undefined || path === undefined ? null : { machine, path }
}

/** Options of ssh as scp names them: its `-p` and `-l` are other options. */
const scpOptions = (options: readonly string[]): readonly string[] =>
  options.flatMap((option, at) => {
    const before = options[at - 1]
    if (before === '-l') return [`User=${option}`]
    if (option === '-l') return ['-o']
    return option === '-p' ? ['-P'] : [option]
  })

/** Copies a file or folder to or from a machine with scp. */
export async function copy(
  context: Context,
  { words: [source = '', target = ''], has }: CommandInput,
): Promise<number> {
  const [from, to] = [remotePath(source), remotePath(target)]
  const machine = from?.machine ?? to?.machine
  if (machine === undefined || (from && to))
    throw new CommandFailure('usage', context.text('errors.oneMachine'))
  const { file, options, host, folder } = await sshTo(context, machine, has('anyway'))
  const { dirname, extname, join, resolve } = process.platform === 'win32' ? win32 : posix
  const scp = join(dirname(file), `scp${extname(file)}`)
  const address = host.includes(':') ? `[${host}]` : host
  // Paths are absolute, since scp may run in another folder, and a path may begin with a dash.
  const at = (remote: typeof from, path: string): string =>
    remote ? `${address}:${remote.path}` : resolve(path)
  const args = [...scpOptions(options), '-r', '--', at(from, source), at(to, target)]
  return context.terminal.run(scp, args, folder)
}
