import { chmod, copyFile, constants, lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { fileFailure, isMissingFile } from '../../core/failure-of'
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

/** Upper bound on a configuration, which is usually a few kilobytes. */
const maxConfigBytes = 1_048_576
/** Configuration files that are searched for hosts, included ones among them. */
const maxSearchedFiles = 512

interface Config {
  /** Decoded as latin1: one character for each byte. */
  readonly text: string
  /** Path of the file with all links resolved; null: there is no file. */
  readonly target: string | null
  readonly mode: number
}

const fault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: 'sshAliases.write', reason })

const orNull = <Value>(work: Promise<Value>): Promise<Value | null> =>
  work.catch((error: unknown) => {
    if (isMissingFile(error)) return null
    throw error
  })

/** Reads a file as latin1; null: there is no file. */
async function readBytes(path: string): Promise<string | null> {
  const stats = await orNull(stat(path))
  if (stats === null) return null
  // Checked before opening: opening a pipe would wait for its writer.
  if (!stats.isFile() || stats.size > maxConfigBytes)
    throw fault(translate('sshAliases.unreadable', { file: path }))
  return readFile(path, 'latin1')
}

/** Reads an included file; empty if there is none. Null: it can't be read. */
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

interface HostReader {
  readonly home: string
  readonly platform: NodeJS.Platform
}

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix)

/** Finds the files that an Include names; null: unknown, or too many. */
async function includedFiles(
  pattern: string,
  base: string,
  { home, platform }: HostReader,
): Promise<readonly string[] | null> {
  const patterns = includePaths(pattern, home, platform, base)
  if (patterns === null) return null
  const matches = await Promise.all(patterns.map((path) => matchingFiles(path, pathsOf(platform))))
  return matches.includes(null) ? null : matches.flatMap((files) => files ?? [])
}

/**
 * Returns the hosts that a configuration names, in full or by a pattern, including the hosts of included files. If a file can't be
 * found or read, it may name any host: then `*` is among them. `skipped`: files that are not read.
 */
async function configuredHosts(
  text: string,
  base: string,
  skipped: readonly string[],
  reader: HostReader,
): Promise<readonly string[]> {
  const hosts = [...hostsIn(text), ...hostPatternsIn(text)]
  const seen = new Set(skipped)
  const pending = [...includesIn(text)]
  for (let pattern = pending.shift(); pattern !== undefined; pattern = pending.shift()) {
    const files = (await includedFiles(pattern, base, reader)) ?? [null]
    for (const path of files) {
      if (path !== null && seen.has(path)) continue
      const included = path === null || seen.size > maxSearchedFiles ? null : await readIncluded(path)
      if (included === null) return [...hosts, '*']
      if (path !== null) seen.add(path)
      hosts.push(...hostsIn(included), ...hostPatternsIn(included))
      pending.push(...includesIn(included))
    }
  }
  return hosts
}

/** Fails if ssh refuses a file because of its owner or its permissions. */
async function checkPermissions(
  files: readonly string[],
  findSsh: () => Promise<string | null>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  for (const path of files) {
    const refusal = await orNull(permissionRefusal(path, findSsh, env))
    if (refusal === null) continue
    const repair = refusal === 'owner' ? 'sudo chown "$USER"' : 'chmod go-w'
    const command = `${repair} ${posixQuoted(path)}`
    throw fault(translate('sshAliases.permissions', { file: path, command }))
  }
}

/**
 * The user's ~/.ssh/config and the file of aliases in the same folder. `systemFolder`: folder of the configuration for all users.
 * Every method fails with local-fault or disk-full.
 */
export function openConfigFiles(
  home: string,
  platform: NodeJS.Platform,
  fileName = aliasFileName,
  systemFolder?: string,
) {
  const { join } = pathsOf(platform)
  const folder = join(home, '.ssh')
  const config = join(folder, 'config')
  const file = join(folder, fileName)
  const line = `Include ${fileName}`
  const backup = join(folder, 'config.before-wheelhouse')
  const reader = { home, platform }

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

  /** Returns the hosts of the user's and of the system's configuration. */
  async function hosts(): Promise<readonly string[]> {
    const own = await configuredHosts((await readConfig()).text, folder, [config, file], reader)
    if (systemFolder === undefined) return own
    const path = join(systemFolder, 'ssh_config')
    const text = await readIncluded(path)
    return [...own, ...(text === null ? ['*'] : await configuredHosts(text, systemFolder, [path], reader))]
  }

  /**
   * Fails if ssh refuses the user's configuration. Skipped if reading it may run a command of the user: ssh also
   * follows an Include to files that can't be found here.
   */
  async function check(ssh: string, env: NodeJS.ProcessEnv): Promise<void> {
    const { text, target } = await readConfig()
    if (target === null || runsCommands(text) || includesIn(text).length > 0) return
    const refusal = await refusalOf(ssh, config, env)
    if (refusal !== null) throw fault(translate('sshAliases.refused', { file: config, reason: refusal }))
  }

  async function replaceConfig({ target, mode }: Config, text: string): Promise<void> {
    // Respects a read-only file: replacing it would need no write permission.
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

  /** Adds the Include line. `made`: there was no configuration before. */
  async function include(): Promise<{ readonly made: boolean }> {
    const before = await readConfig()
    const text = withInclude(before.text, line)
    if (text === before.text) return { made: false }
    if (before.target !== null)
      // Only once: a later backup would contain changes of the application.
      await copyFile(before.target, backup, constants.COPYFILE_EXCL).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      })
    await replaceConfig(before, text)
    return { made: before.target === null }
  }

  /** Removes the line and the file of aliases. `made`: as `include` returned. Lines that the user added stay. */
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
    check: (ssh: string, env: NodeJS.ProcessEnv) => failing(check(ssh, env)),
    checkPermissions: (findSsh: () => Promise<string | null>, env: NodeJS.ProcessEnv): Promise<void> =>
      platform === 'win32' ? Promise.resolve() : failing(checkPermissions([config, file], findSsh, env)),
    include: () => failing(include()),
    exclude: (made: boolean) => failing(exclude(made)),
  }
}
