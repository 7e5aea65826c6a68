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
import type { Sections, SettingsStore } from '../../store/settings'
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

/** `made`: there was no configuration before, so that an empty one goes with the line. */
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
/** How machines were reached the last time that their account was read. */
const Kept = z.object({ targets: z.array(Target).default([]) })

/** The machines of an account as they are known; `unread`: those of which nothing but the id is. */
export interface KnownMachines {
  readonly machines: readonly MachineView[]
  readonly unread: ReadonlySet<string>
}

export interface SshAliasesDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  readonly documents: Sections
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  /** Null before they were read. */
  machines(account: AccountId): KnownMachines | null
  /** Each is called when machines, or how they are reached, may have changed. */
  readonly onChanges: readonly ((listener: () => void) => ReturnType<Subscribe<unknown>>)[]
  readonly ssh: Pick<Ssh, 'destination' | 'knownHosts'>
  /** Which key opened which machine: it alone is offered, as by a terminal. */
  readonly keys: Pick<SshKeys, 'identities' | 'onChange'>
  /** Whether the person confirms the first host key of a machine; not where absent. */
  confirmsHostKeys?(): boolean
  readonly home: string
  readonly system: SystemPlaces
  /** The name of the file of aliases. */
  readonly fileName: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  showInFolder(path: string): void
  readonly report: ReportError
}

type Result = ReturnType<typeof nameAliases> & { readonly text: string }

/** An alias for each machine in the person's own SSH configuration, where the person wants that. */
export function createSshAliases(deps: SshAliasesDeps) {
  const { accounts, home, platform, ssh, system, report } = deps
  const section = deps.settings.section('ssh-aliases', Switch)
  const kept = deps.documents.section('ssh-aliases', Kept)
  const files = openConfigFiles(home, platform, deps.fileName, system.sshFolder)
  const hostsNamedBefore = openNamedHosts(home, platform, system)
  const env = terminalEnvironment(deps.env)
  const changes = createEmitter<SshAliasesView>()
  const mutex = createMutex()
  let failure: Failure | null = null
  let shown = ''
  let closed = false

  const targetsOf = (account: AccountId, stays: boolean): readonly AliasTarget[] => {
    const before = kept.read().targets.filter((target) => target.account === account)
    const known = deps.machines(account)
    // Not read since the start, or signed out: the second leaves nothing behind.
    if (known === null) return stays ? before : []
    return known.machines.map((machine) => {
      const last = before.find((target) => target.machine === machine.id)
      if (last && known.unread.has(machine.id)) return last
      const { own: _, ...destination } = ssh.destination(account, machine)
      return { account, machine: machine.id, name: machine.name, ...destination }
    })
  }
  const targets = (): readonly AliasTarget[] =>
    accounts.view().accounts.flatMap(({ id, staysSignedIn }) => targetsOf(id, staysSignedIn))

  let known: Promise<boolean> | undefined
  /** Asked once: another ssh is rarely installed while the application runs. */
  async function knowsCommand(): Promise<boolean> {
    const program = await findSsh(platform, env)
    return program !== null && knowsOptions(program, noKnownHostsCommand, env)
  }

  const checkPermissions = (): Promise<void> => files.checkPermissions(() => findSsh(platform, env), env)

  async function resolve(): Promise<Result> {
    const path = (platform === 'win32' ? win32 : posix).resolve(ssh.knownHosts.path)
    if (!isPlainPath(path, platform))
      throw new FailureError({ kind: 'local-fault', action: 'sshAliases.write', reason: path })
    const knowsNoCommand = await (known ??= knowsCommand())
    const identityOf = deps.keys.identities()
    const all = await Promise.all(
      targets().map(async (target) => ({
        ...target,
        identityFile: target.identityFile ?? (await identityOf(target.account, target.machine)),
      })),
    )
    const wanted = wantedAliases(all)
    const inUse = namesInUse(wanted, { configured: await files.hosts(), ...(await hostsNamedBefore(wanted)) })
    const named = nameAliases(all, inUse, platform)
    const confirms = deps.confirmsHostKeys?.() ?? false
    const text = aliasText(named.aliases, { knownHosts: path, platform, knowsNoCommand, confirms })
    return { ...named, text }
  }

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

  async function write(): Promise<void> {
    const { text } = await resolve()
    // ssh would make the file of host keys for all to read.
    await ssh.knownHosts.ensure()
    await files.writeAliases(text)
    const now = [...targets()]
    if (JSON.stringify(now) !== JSON.stringify(kept.read().targets))
      await kept.change(() => ({ targets: now.map((target) => ({ ...target })) }))
  }

  let waiting: Promise<void> | undefined
  /** Brings the file up to date. Changes while it waits share one writing. Never fails: see the view. */
  const update = (): Promise<void> =>
    (waiting ??= mutex(async () => {
      waiting = undefined
      if (closed || !section.read().enabled || !kept.isReady()) return
      try {
        await write()
        failure = null
      } catch (error) {
        failure = failureOf(error, 'sshAliases.write')
      }
      await show()
    }))
  const updateLater = (): void => void update().catch((error: unknown) => report('sshAliases.write', error))

  /** The file first: a line that names none would be of no use. */
  async function add(): Promise<{ readonly made: boolean }> {
    try {
      await checkPermissions()
      await write()
      const program = await findSsh(platform, env)
      if (program !== null && !(await files.isIncluded())) await files.check(program, env)
      return await files.include()
    } catch (error) {
      if (!section.read().enabled) await files.removeAliases().catch(() => undefined)
      throw error
    }
  }

  const enable = (enabled: boolean): Promise<SshAliasesView> =>
    mutex(async () => {
      if (enabled) {
        const before = section.read()
        const { made } = await add()
        const switched = section.change((value) => ({ enabled, made: made || value.made }))
        await switched.catch(async (error: unknown) => {
          // The next start would not know of it.
          if (!before.enabled) {
            await files.exclude(made)
            await section.change(() => before).catch(() => undefined)
          }
          throw error
        })
      } else {
        await files.exclude(section.read().made)
        await section.change(() => ({ enabled, made: false }))
        await kept.change(() => ({ targets: [] }))
      }
      failure = null
      return show()
    })

  const stops = [accounts.onChange, kept.onLoad, deps.keys.onChange, ...deps.onChanges].map((on) =>
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
    /** The alias that works now; null: there is none. */
    async aliasOf(account: AccountId, machine: string): Promise<string | null> {
      const { enabled, included, aliases } = await view()
      const found = aliases.find((one) => one.account === account && one.machine === machine)
      return enabled && included && found ? found.alias : null
    },
    /** It is signed out by now, so that nothing of it is known; what could not be written shows in the view. */
    async forgetAccount(account: AccountId): Promise<void> {
      if (!section.read().enabled) return
      await kept.change((value) => ({
        targets: value.targets.filter((target) => target.account !== account),
      }))
      await update()
    },
    start: updateLater,
    /** What was asked for is written by then. */
    async close(): Promise<void> {
      for (const stop of stops) stop()
      closed = true
      await mutex(() => Promise.resolve())
      changes.clear()
    },
  })
}
