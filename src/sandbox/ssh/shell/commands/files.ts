import { absolutePath } from '../../disk/disk'
import { DiskError } from '../../disk/disk-error'
import { isDirectory } from '../../disk/long-format'
import { hasFault } from '../../machine'
import { gpusOf } from '../gpu'
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

/** Files of the kernel that tools read. Sizes in kB. */
const kernelFiles: Readonly<Record<string, (shell: Shell) => string>> = {
  '/proc/meminfo': ({ machine }) => {
    const total = (machine.ram ?? 64) * 1_000_000
    const free = Math.round(total * 0.7)
    return [
      `MemTotal:       ${total} kB`,
      `MemFree:        ${free} kB`,
      `MemAvailable:   ${free} kB`,
      'SwapTotal:             0 kB',
      'SwapFree:              0 kB',
      '',
    ].join('\n')
  },
  '/proc/uptime': ({ now, startedAt }) => `${(now() - startedAt).toFixed(2)} 0.00\n`,
  '/proc/loadavg': () => '0.42 0.40 0.38 1/210 4711\n',
}

/** Returns the kernel's line about a process on a GPU (proc_pid_stat(5)); undefined for other files. */
function processFile(path: string): ((shell: Shell) => string) | undefined {
  const [, pid] = /^\/proc\/(\d+)\/stat$/.exec(path) ?? []
  if (pid === undefined) return undefined
  return ({ machine, now }) =>
    gpusOf(machine, now())
      .flatMap(({ processes }) => processes)
      .filter((process) => process.pid === Number(pid))
      .map(({ start }) => `${pid} (python) S 1 ${'0 '.repeat(17)}${start} 0 0\n`)
      .join('')
}

function* catFile(path: string, shell: Shell): Generator<Output, number, undefined> {
  const kernelFile = Object.hasOwn(kernelFiles, path) ? kernelFiles[path] : processFile(path)
  if (kernelFile) {
    yield { to: 'stdout', data: kernelFile(shell) }
    return 0
  }
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
    const { letters, operands, unknown } = readOptions(args, 'Phkm')
    if (unknown) return yield* failed('df', `invalid option -- '${unknown}'`)
    if (letters.has('P')) {
      yield print('Filesystem     1024-blocks      Used Available Capacity Mounted on')
      const blocks = Math.round(((shell.machine.disk ?? 100) * 1e9) / 1024)
      const inUse = Math.round(blocks * (hasFault(shell.machine, 'full-disk') ? 0.97 : 0.18))
      const row = `/dev/vda1 ${blocks} ${inUse} ${blocks - inUse} ${Math.ceil((100 * inUse) / blocks)}% /`
      for (const _ of operands.length === 0 ? ['/'] : operands) yield print(row)
      return 0
    }
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

/** Bytes that `dd` copies at a time. */
const ddPiece = Buffer.alloc(32 * 1024)

const dd: Command = {
  name: 'dd',
  summary: 'copy zeros (of=FILE: only their time is reported)',
  *run({ args, shell }) {
    const value = (name: string) => args.find((argument) => argument.startsWith(`${name}=`))?.split('=')[1]
    const bytes = Number(value('bs') ?? 512) * Number(value('count') ?? 1)
    if (!Number.isSafeInteger(bytes)) return yield* failed('dd', 'invalid number')
    if (value('of') === undefined) {
      for (let sent = 0; sent < bytes; sent += ddPiece.length) yield { to: 'stdout', data: ddPiece }
      return 0
    }
    if (hasFault(shell.machine, 'full-disk')) return yield* failed('dd', 'No space left on device')
    const seconds = bytes / (hasFault(shell.machine, 'slow-disk') ? 60e6 : 1_150e6)
    const text = `${bytes} bytes (${Math.round(bytes / 1e6)} MB) copied, ${seconds.toFixed(3)} s, ${Math.round(bytes / seconds / 1e6)} MB/s\n`
    yield { to: 'stderr', data: text }
    return 0
  },
}

export const fileCommands: readonly Command[] = [
  cat,
  cd,
  dd,
  df,
  mkdir,
  mv,
  rm,
  rmdir,
  touch,
  printCommand('pwd', 'print the directory you are in', ({ shell }) => shell.directory),
]
