import { chmod, copyFile, constants, lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { fileFailure } from '../../core/file-failure'
import { replaceFile } from '../../store/atomic-file'
import { posixQuoted } from '../launcher/quoting'
import { aliasFileHeader } from './alias-text'
import { permissionRefusal } from './config-permissions'
import { refusalOf } from './config-refusal'
import {
  aliasFileName,
  hostPatternsIn,
  hostsIn,
  includePaths,
  includesIn,
  isConfigText,
  isIncluded,
  runsCommands,
  withInclude,
  withoutInclude,
} from './ssh-config-parser'
import { matchingFiles } from './matching-files'

/** Bytes. A configuration is a few kilobytes; what is larger is none. */
const largest = 1_048_576
/** Files that are looked at for hosts, included ones with them. */
const mostFiles = 512

interface Config {
  /** Every byte as one character. */
  readonly text: string
  /** Where the file itself lies, which may be behind links; null: there is none. */
  readonly target: string | null
  readonly mode: number
}

const fault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: 'sshAliases.write', reason })

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const orNull = <Value>(work: Promise<Value>): Promise<Value | null> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

/** The text of a file; null where there is none. */
async function readBytes(path: string): Promise<string | null> {
  const found = await orNull(stat(path))
  if (found === null) return null
  // Asked first: opening a pipe would wait for its writer.
  if (!found.isFile() || found.size > largest) throw fault(translate('sshAliases.unreadable', { file: path }))
  return readFile(path, 'latin1')
}

/** The text of an included file, empty if there is none; null: unknown. */
async function readIncluded(path: string): Promise<string | null> {
  try {
    // ssh reads a folder as an empty file.
    if ((await stat(path)).isDirectory()) return ''
    return (await readBytes(path)) ?? ''
  } catch (error) {
    const isThere = !(
      error instanceof Error &&
      'code' in error &&
      /^(?:ENOENT|ENOTDIR)$/.test(String(error.code))
    )
    return isThere ? null : ''
  }
}

/**
 * ~/.ssh/config, which is the person's, and the file of aliases beside it. `systemFolder`: of the configuration for all
 * who use the computer. What fails, fails with local-fault or disk-full.
 */
export function openConfigFiles(
  home: string,
  platform: NodeJS.Platform,
  fileName = aliasFileName,
  systemFolder?: string,
) {
  const paths = platform === 'win32' ? win32 : posix
  const { join } = paths
  const folder = join(home, '.ssh')
  const config = join(folder, 'config')
  const file = join(folder, fileName)
  const line = `Include ${fileName}`
  const backup = join(folder, 'config.before-wheelhouse')

  const failing = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw fileFailure(error, 'sshAliases.write')
    })

  async function readConfig(): Promise<Config> {
    const isThere = (await orNull(lstat(config))) !== null
    const target = isThere ? await orNull(realpath(config)) : null
    const text = target === null ? null : await readBytes(target)
    if (isThere && text === null) throw fault(translate('sshAliases.unreadable', { file: config }))
    if (target === null || text === null) return { text: '', target: null, mode: 0o600 }
    if (!isConfigText(text)) throw fault(translate('sshAliases.unreadable', { file: config }))
    return { text, target, mode: (await stat(target)).mode & 0o777 }
  }

  /** The files that an Include stands for; null: unknown, or too many. */
  async function includedFiles(pattern: string, base: string): Promise<readonly string[] | null> {
    const named = includePaths(pattern, home, platform, base)
    if (named === null) return null
    const files = await Promise.all(named.map((path) => matchingFiles(path, paths)))
    return files.includes(null) ? null : files.flatMap((found) => found ?? [])
  }

  /**
   * Reads the hosts that a configuration names, in full or by a pattern, with those of the files that it includes. Every
   * name may be one of a file that can't be found or read: then `*` is among them.
   */
  async function hostsOf(own: string, base: string, before: readonly string[]): Promise<readonly string[]> {
    const found = [...hostsIn(own), ...hostPatternsIn(own)]
    const seen = new Set(before)
    const waiting = [...includesIn(own)]
    for (let pattern = waiting.shift(); pattern !== undefined; pattern = waiting.shift()) {
      const included = (await includedFiles(pattern, base)) ?? [null]
      for (const path of included) {
        if (path !== null && seen.has(path)) continue
        const text = path === null || seen.size > mostFiles ? null : await readIncluded(path)
        if (text === null) return [...found, '*']
        if (path !== null) seen.add(path)
        found.push(...hostsIn(text), ...hostPatternsIn(text))
        waiting.push(...includesIn(text))
      }
    }
    return found
  }

  /** The hosts of the person's configuration and of the system's. */
  async function hosts(): Promise<readonly string[]> {
    const own = await hostsOf((await readConfig()).text, folder, [config, file])
    if (systemFolder === undefined) return own
    const path = join(systemFolder, 'ssh_config')
    const text = await readIncluded(path)
    return [...own, ...(text === null ? ['*'] : await hostsOf(text, systemFolder, [path]))]
  }

  /** Fails where ssh refuses one of the two files because of who owns it or may write to it. */
  async function checkPermissions(
    findSsh: () => Promise<string | null>,
    env: NodeJS.ProcessEnv,
  ): Promise<void> {
    if (platform === 'win32') return
    for (const path of [config, file]) {
      const refusal = await orNull(permissionRefusal(path, findSsh, env))
      if (refusal === null) continue
      const mends = refusal === 'owner' ? 'sudo chown "$USER"' : 'chmod go-w'
      const command = `${mends} ${posixQuoted(path)}`
      throw fault(translate('sshAliases.permissions', { file: path, command }))
    }
  }

  /**
   * Fails where ssh, at this path, refuses the file. Not asked where that may run a command of the person's: ssh follows
   * an Include to files that are not found here.
   */
  async function check(ssh: string, env: NodeJS.ProcessEnv): Promise<void> {
    const { text, target } = await readConfig()
    if (target === null || runsCommands(text) || includesIn(text).length > 0) return
    const refusal = await refusalOf(ssh, config, env)
    if (refusal !== null) throw fault(translate('sshAliases.refused', { file: config, reason: refusal }))
  }

  async function replaceConfig({ target, mode }: Config, text: string): Promise<void> {
    // Replacing a file needs no permission to write it: that of the person's own is kept.
    if ((mode & 0o200) === 0) throw fault(translate('sshAliases.readOnly', { file: config }))
    const path = target ?? config
    await replaceFile(path, (write) => write(Buffer.from(text, 'latin1')))
    await chmod(path, mode)
  }

  async function writeAliases(text: string): Promise<void> {
    const before = await orNull(readFile(file, 'utf8'))
    if (before !== null && !before.startsWith(aliasFileHeader))
      throw fault(translate('sshAliases.otherFile', { file }))
    if (before === text) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await replaceFile(file, (write) => write(text))
  }

  async function removeAliases(): Promise<void> {
    if ((await orNull(readFile(file, 'utf8')))?.startsWith(aliasFileHeader)) await rm(file)
  }

  /** Adds the line, and answers whether there was no configuration before. */
  async function include(): Promise<{ readonly made: boolean }> {
    const before = await readConfig()
    const text = withInclude(before.text, line)
    if (text === before.text) return { made: false }
    if (before.target !== null)
      // Once: a later copy would be of a file that was changed here.
      await copyFile(before.target, backup, constants.COPYFILE_EXCL).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      })
    await replaceConfig(before, text)
    return { made: before.target === null }
  }

  /** Takes the line and the file away. `made`: as `include` answered; what the person has added since then stays. */
  async function exclude(made: boolean): Promise<void> {
    const before = await readConfig()
    const text = withoutInclude(before.text, line)
    if (made && text === '' && before.target !== null) await rm(before.target)
    else if (text !== before.text) await replaceConfig(before, text)
    if ((await readBytes(backup)) === text) await rm(backup)
    await removeAliases()
  }

  return {
    config,
    file,
    line,
    hosts: () => failing(hosts()),
    isIncluded: () => failing(readConfig().then(({ text }) => isIncluded(text, line))),
    writeAliases: (text: string) => failing(writeAliases(text)),
    removeAliases: () => failing(removeAliases()),
    check: (...given: Parameters<typeof check>) => failing(check(...given)),
    checkPermissions: (...given: Parameters<typeof checkPermissions>) => failing(checkPermissions(...given)),
    include: () => failing(include()),
    exclude: (made: boolean) => failing(exclude(made)),
  }
}
