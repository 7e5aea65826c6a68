import { posix, win32 } from 'node:path'
import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { sshAliasCalls, sshAliasEvents, SshAliasesView } from '#shared/bridge/ssh-alias'
import { type Failure, FailureError } from '#shared/failure'
import { failureOf } from '../../core/failure-of'
import type { Accounts } from '../../accounts/index'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { defineModule, type EventsOf } from '../../core/module'
import { createMutex } from '../../core/mutex'
import type { ReportError } from '../../core/report-error'
import type { Sections, SettingsSection, SettingsStore } from '../../store/settings'
import { isPlainPath } from '../client/plain-values'
import type { Ssh } from '../index'
import type { SshKeys } from '../keys/index'
import { terminalEnvironment } from '../launcher/environment'
import { findSsh, knowsOptions } from '../launcher/find-program'
import { noKnownHostsCommand } from '../launcher/ssh-arguments'
import { type AliasTarget, nameAliases, wantedAliases } from './alias-names'
import { aliasText } from './alias-text'
import { openConfigFiles } from './config-files'
import { namesInUse, openNamedHosts, type SystemPlaces } from './names-in-use'

/** `made`: there was no configuration before, so an empty one is removed with the line. */
const Switch = z.object({ enabled: z.boolean().default(false), made: z.boolean().default(false) })

const Target = z.object({
  account: AccountId,
  machine: z.string(),
  name: z.string(),
  user: z.string().nullable(),
  host: z.string().nullable(),
  port: z.number(),
  identityFile: z.string().nullable(),
  jumpHost: z.string().nullable().optional(),
  forwardAgent: z.boolean().nullable().optional(),
  options: z.string().nullable().optional(),
})
/** Machines of each account when it was last read, and how they were reached. */
const KnownTargets = z.object({ targets: z.array(Target).default([]) })

/** Machines of an account. `unread`: ids of machines without any other data. */
export interface KnownMachines {
  readonly machines: readonly MachineView[]
  readonly unread: ReadonlySet<string>
}

export interface SshAliasesDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  readonly documents: Sections
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  /** Null before the first reading. */
  machines(account: AccountId): KnownMachines | null
  /** Events after which machines, or how they are reached, may have changed. */
  readonly onChanges: readonly ((listener: () => void) => ReturnType<Subscribe<unknown>>)[]
  readonly ssh: Pick<Ssh, 'destination' | 'knownHosts'>
  /** Keys that opened machines: an alias offers only that key, like a terminal. */
  readonly keys: Pick<SshKeys, 'identities' | 'onChange'>
  /** Whether the user confirms the first host key of a machine; false if absent. */
  confirmsHostKeys?(): boolean
  readonly home: string
  readonly system: SystemPlaces
  readonly fileName: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  showInFolder(path: string): void
  readonly report: ReportError
}

type Result = ReturnType<typeof nameAliases> & { readonly text: string }

/** Returns all machines that get an alias. `stored`: their targets as of the last reading. */
function aliasTargets(
  { accounts, machines, ssh }: Pick<SshAliasesDeps, 'accounts' | 'machines' | 'ssh'>,
  stored: readonly AliasTarget[],
): readonly AliasTarget[] {
  return accounts.view().accounts.flatMap(({ id: account, staysSignedIn }) => {
    const before = stored.filter((target) => target.account === account)
    const known = machines(account)
    // Not read since the start, or signed out: a signed-out account leaves nothing behind.
    if (known === null) return staysSignedIn ? before : []
    return known.machines.map((machine) => {
      const last = before.find((target) => target.machine === machine.id)
      if (last && known.unread.has(machine.id)) return last
      const { own: _, ...destination } = ssh.destination(account, machine)
      return { account, machine: machine.id, name: machine.name, ...destination }
    })
  })
}

/** Returns a function that names the aliases of targets and writes the text of their file. */
function aliasResolver(
  deps: SshAliasesDeps,
  env: NodeJS.ProcessEnv,
  configuredHosts: () => Promise<readonly string[]>,
) {
  const { home, platform, ssh, system } = deps
  const namedHosts = openNamedHosts(home, platform, system)
  /** Read once: another ssh is rarely installed while the application runs. */
  let knowsNoCommand: Promise<boolean> | undefined
  async function readKnowsNoCommand(): Promise<boolean> {
    const program = await findSsh(platform, env)
    return program !== null && knowsOptions(program, noKnownHostsCommand, env)
  }

  return async (targets: readonly AliasTarget[]): Promise<Result> => {
    const path = (platform === 'win32' ? win32 : posix).resolve(ssh.knownHosts.path)
    if (!isPlainPath(path, platform))
      throw new FailureError({ kind: 'local-fault', action: 'sshAliases.write', reason: path })
    const identityOf = deps.keys.identities()
    const withKeys = await Promise.all(
      targets.map(async (target) => ({
        ...target,
        identityFile: target.identityFile ?? (await identityOf(target.account, target.machine)),
      })),
    )
    const wanted = wantedAliases(withKeys)
    const inUse = namesInUse(wanted, { configured: await configuredHosts(), ...(await namedHosts(wanted)) })
    const named = nameAliases(withKeys, inUse, platform)
    const text = aliasText(named.aliases, {
      knownHosts: path,
      platform,
      knowsNoCommand: await (knowsNoCommand ??= readKnowsNoCommand()),
      confirms: deps.confirmsHostKeys?.() ?? false,
    })
    return { ...named, text }
  }
}

/** Resolves, writes and includes the file of aliases. Its functions fail with local-fault and disk-full. */
function aliasWriter(
  deps: SshAliasesDeps,
  files: ReturnType<typeof openConfigFiles>,
  stored: SettingsSection<z.infer<typeof KnownTargets>>,
) {
  const { platform, ssh } = deps
  const env = terminalEnvironment(deps.env)
  const resolveTargets = aliasResolver(deps, env, files.hosts)
  const targets = (): readonly AliasTarget[] => aliasTargets(deps, stored.read().targets)
  const resolve = (): Promise<Result> => resolveTargets(targets())
  const checkPermissions = (): Promise<void> => files.checkPermissions(() => findSsh(platform, env), env)

  async function write(): Promise<void> {
    const { text } = await resolve()
    // ssh itself would create the file of host keys with read access for everybody.
    await ssh.knownHosts.ensure()
    await files.writeAliases(text)
    const now = [...targets()]
    if (JSON.stringify(now) !== JSON.stringify(stored.read().targets))
      await stored.change(() => ({ targets: now.map((target) => ({ ...target })) }))
  }

  /** Writes the file of aliases, then includes it. */
  async function add(isEnabled: boolean): Promise<{ readonly made: boolean }> {
    try {
      await checkPermissions()
      await write()
      const program = await findSsh(platform, env)
      if (program !== null && !(await files.isIncluded())) await files.check(program, env)
      return await files.include()
    } catch (error) {
      if (!isEnabled) await files.removeAliases().catch(() => undefined)
      throw error
    }
  }

  return { resolve, checkPermissions, write, add }
}

/** An alias for each machine in the user's SSH configuration, if the user wants that. */
export function createSshAliases(deps: SshAliasesDeps) {
  const { accounts, report } = deps
  const section = deps.settings.section('ssh-aliases', Switch)
  const stored = deps.documents.section('ssh-aliases', KnownTargets)
  const files = openConfigFiles(deps.home, deps.platform, deps.fileName, deps.system.sshFolder)
  const { resolve, checkPermissions, write, add } = aliasWriter(deps, files, stored)
  const changes = createEmitter<SshAliasesView>()
  const mutex = createMutex()
  let failure: Failure | null = null
  let shown = ''
  let closed = false

  async function view(): Promise<SshAliasesView> {
    const { enabled } = section.read()
    const { config, file, line } = files
    const base = { enabled, config, file, line }
    try {
      if (enabled) await checkPermissions()
      const { aliases, leftOut } = await resolve()
      return {
        ...base,
        included: await files.isIncluded(),
        failure,
        leftOut: [...leftOut],
        aliases: aliases.map(({ account, machine, alias }) => ({ account, machine, alias })),
      }
    } catch (error) {
      const reason = failureOf(error, 'sshAliases.write')
      return { ...base, included: false, aliases: [], leftOut: [], failure: reason }
    }
  }

  async function show(): Promise<SshAliasesView> {
    const next = await view()
    const text = JSON.stringify(next)
    if (text !== shown) changes.emit(next)
    shown = text
    return next
  }

  let waiting: Promise<void> | undefined
  /** Writes the file of aliases. Changes while it waits share one run. Never fails: the view shows the failure. */
  const update = (): Promise<void> =>
    (waiting ??= mutex(async () => {
      waiting = undefined
      if (closed || !section.read().enabled || !stored.isReady()) return
      try {
        await write()
        failure = null
      } catch (error) {
        failure = failureOf(error, 'sshAliases.write')
      }
      await show()
    }))
  const updateLater = (): void => void update().catch((error: unknown) => report('sshAliases.write', error))

  const enable = (enabled: boolean): Promise<SshAliasesView> =>
    mutex(async () => {
      if (enabled) {
        const before = section.read()
        const { made } = await add(before.enabled)
        const switched = section.change((value) => ({ enabled, made: made || value.made }))
        await switched.catch(async (error: unknown) => {
          // Without the switch the next start would not remove the line.
          if (!before.enabled) {
            await files.exclude(made)
            await section.change(() => before).catch(() => undefined)
          }
          throw error
        })
      } else {
        await files.exclude(section.read().made)
        await section.change(() => ({ enabled, made: false }))
        await stored.change(() => ({ targets: [] }))
      }
      failure = null
      return show()
    })

  const stops = [accounts.onChange, stored.onLoad, deps.keys.onChange, ...deps.onChanges].map((on) =>
    on(updateLater),
  )
  const handlers: HandlersOf<typeof sshAliasCalls> = {
    'sshAliases.read': view,
    'sshAliases.preview': async () => (await resolve()).text,
    'sshAliases.enable': ({ enabled }) => enable(enabled),
    'sshAliases.showInFolder': () => deps.showInFolder(section.read().enabled ? files.file : files.config),
  }
  const events: EventsOf<typeof sshAliasEvents> = { 'sshAliases.changed': changes.on }
  return defineModule({
    handlers,
    events,
    /** Returns the alias that works now; null: none. */
    async aliasOf(account: AccountId, machine: string): Promise<string | null> {
      const { enabled, included, aliases } = await view()
      const match = aliases.find((alias) => alias.account === account && alias.machine === machine)
      return enabled && included && match ? match.alias : null
    },
    /** Removes the aliases of an account that has signed out. The view shows a failed write. */
    async forgetAccount(account: AccountId): Promise<void> {
      if (!section.read().enabled) return
      await stored.change((value) => ({
        targets: value.targets.filter((target) => target.account !== account),
      }))
      await update()
    },
    start: updateLater,
    /** Resolves once pending changes are written. */
    async close(): Promise<void> {
      for (const stop of stops) stop()
      closed = true
      await mutex(() => Promise.resolve())
      changes.clear()
    },
  })
}
