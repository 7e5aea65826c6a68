import { absolutePath } from '../../disk/disk'
import { DiskError } from '../../disk/disk-error'
import { isDirectory } from '../../disk/long-format'
import {
  failed,
  forEachOperand,
  print,
  printCommand,
  readOptions,
  type Command,
  type Execution,
  type Invocation,
  type Output,
  type Shell,
} from '../command'

/** Bytes that `cat` reads at a time. */
const pieceBytes = 64 * 1024
/** Marker for no argument, which is not a valid file name. */
const shellHome = ''

const cd: Command = {
  name: 'cd',
  summary: 'change the directory',
  *run({ args: [target = shellHome], shell }) {
    try {
      const path = absolutePath(shell.directory, target === shellHome ? shell.home : target)
      if (!isDirectory(shell.disk.attributes(path))) throw new DiskError('ENOTDIR')
      shell.directory = path
      return 0
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      return yield* failed('bash: cd', `${target}: ${error.message}`)
    }
  },
}

function* catFile(path: string, shell: Shell): Generator<Output, number, undefined> {
  try {
    const file = shell.disk.open(absolutePath(shell.directory, path), {})
    for (let offset = 0; ; offset += pieceBytes) {
      const data = file.read(offset, pieceBytes)
      if (data.length === 0) return 0
      yield { to: 'stdout', data }
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return yield* failed('cat', `${path}: ${error.message}`)
  }
}

async function* catInput(stdin: Invocation['stdin']): AsyncGenerator<Output, number, undefined> {
  if (!stdin) return yield* failed('cat', 'name a file; the sandbox does not read the terminal')
  for await (const data of stdin) yield { to: 'stdout', data }
  return 0
}

const cat: Command = {
  name: 'cat',
  summary: 'print files',
  async *run({ args, shell, stdin }) {
    let status = 0
    for (const path of args.length === 0 ? ['-'] : args) {
      const result = yield* path === '-' ? catInput(stdin) : catFile(path, shell)
      status ||= result
    }
    return status
  },
}

const touch: Command = {
  name: 'touch',
  summary: 'make a file, or set its time to now',
  run: ({ args, shell }) =>
    args.length === 0
      ? failed('touch', 'missing file operand')
      : forEachOperand('touch', args, 'cannot touch', (path) => {
          const now = shell.now()
          const file = absolutePath(shell.directory, path)
          try {
            shell.disk.change(file, { atime: now, mtime: now })
          } catch (error) {
            if (!(error instanceof DiskError) || error.code !== 'ENOENT') throw error
            shell.disk.open(file, { create: true })
          }
        }),
}

const withParents = (path: string): readonly string[] =>
  path
    .split('/')
    .map((_, index, names) => names.slice(0, index + 1).join('/'))
    .slice(1)

const mkdir: Command = {
  name: 'mkdir',
  summary: 'make directories (-p: with their parents)',
  run: ({ args, shell }): Execution => {
    const { letters, operands, unknown } = readOptions(args, 'p')
    if (unknown) return failed('mkdir', `invalid option -- '${unknown}'`)
    if (operands.length === 0) return failed('mkdir', 'missing operand')
    return forEachOperand('mkdir', operands, 'cannot create directory', (operand) => {
      const path = absolutePath(shell.directory, operand)
      if (!letters.has('p')) {
        shell.disk.makeDirectory(path)
        return
      }
      for (const directory of withParents(path)) {
        try {
          shell.disk.makeDirectory(directory)
        } catch (error) {
          const there = error instanceof DiskError && error.code === 'EEXIST'
          if (!there || !isDirectory(shell.disk.attributes(directory))) throw error
        }
      }
    })
  },
}

const rm: Command = {
  name: 'rm',
  summary: 'remove files (-r: directories too, -f: without complaint)',
  run: ({ args, shell }): Execution => {
    const { letters, operands, unknown } = readOptions(args, 'rRf')
    if (unknown) return failed('rm', `invalid option -- '${unknown}'`)
    const force = letters.has('f')
    if (operands.length === 0)
      return force ? forEachOperand('rm', [], '', () => undefined) : failed('rm', 'missing operand')
    const remove = letters.has('r') || letters.has('R') ? shell.disk.removeTree : shell.disk.removeFile
    return forEachOperand('rm', operands, 'cannot remove', (path) => {
      try {
        remove(absolutePath(shell.directory, path))
      } catch (error) {
        if (!force || !(error instanceof DiskError) || error.code !== 'ENOENT') throw error
      }
    })
  },
}

const rmdir: Command = {
  name: 'rmdir',
  summary: 'remove empty directories',
  run: ({ args, shell }) =>
    forEachOperand('rmdir', args, 'failed to remove', (path) => {
      shell.disk.removeDirectory(absolutePath(shell.directory, path))
    }),
}

const mv: Command = {
  name: 'mv',
  summary: 'move or rename a file or directory',
  *run({ args: [from, to, ...more], shell }) {
    if (from === undefined || to === undefined || more.length > 0) {
      return yield* failed('mv', 'missing source or destination operand')
    }
    return yield* forEachOperand('mv', [from], 'cannot move', () => {
      const source = absolutePath(shell.directory, from)
      const target = absolutePath(shell.directory, to)
      shell.disk.rename(source, target)
    })
  },
}

const df: Command = {
  name: 'df',
  summary: 'show how full the disk is (-h: in readable units)',
  *run({ args, shell }) {
    const { letters, unknown } = readOptions(args, 'hkm')
    if (unknown) return yield* failed('df', `invalid option -- '${unknown}'`)
    const { total, used } = shell.disk.usage()
    const unit = letters.has('h') || letters.has('m') ? 1024 * 1024 : 1024
    const amount = (bytes: number) => `${Math.ceil(bytes / unit)}${letters.has('h') ? 'M' : ''}`.padStart(10)
    const heading = (letters.has('h') ? 'Size' : letters.has('m') ? '1M-blocks' : '1K-blocks').padStart(10)
    yield print(`Filesystem  ${heading}       Used      Avail Use% Mounted on`)
    const share = `${Math.ceil((used / total) * 100)}%`.padStart(4)
    yield print(`memory      ${amount(total)} ${amount(used)} ${amount(total - used)} ${share} /`)
    return 0
  },
}

export const fileCommands: readonly Command[] = [
  cat,
  cd,
  df,
  mkdir,
  mv,
  rm,
  rmdir,
  touch,
  printCommand('pwd', 'print the directory you are in', ({ shell }) => shell.directory),
]
