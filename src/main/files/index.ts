import type { AccountId } from '#shared/bridge/account'
import type { FilesView, filesCalls, filesEvents, LinkChoice, Transfer } from '#shared/bridge/files'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { resourceKey } from '#shared/resource-key'
import type { MonotonicClock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import { ChannelError } from '../ssh/client/transport'
import { type FollowedMachines, followMachines } from '../ssh/follow-machines'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import type { Sections } from '../store/settings'
import { browseCalls } from './browse-calls'
import { downloadJob } from './download-job'
import { filesFailure } from './transfer-failure'
import { type Asks, checkNames, type Job, type Progress, remotePath } from './transfer-job'
import { createKeptTransfers, type TransferSource } from './kept-transfers'
import { leave } from './disconnect'
import { localName } from './local-names'
import { type MachineFiles, machineFiles } from './machine-files'
import { MalformedAnswer } from './sftp/packet'
import type { Sftp } from './sftp/client'
import { createTransfers, transferCalls } from './transfers'
import { uploadJob } from './upload-job'

type TransferFacts = Pick<Transfer, 'account' | 'machine' | 'machineName' | 'direction' | 'name' | 'others'>

export interface FilesDeps extends FollowedMachines {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has'>
  /** Where a file of this name should go, or null. */
  chooseTarget(name: string): Promise<string | null>
  /** The folder that files should go into, or null. */
  chooseFolder(): Promise<string | null>
  /** Files, or a folder, of this computer to upload. */
  chooseUploads(what: 'files' | 'folder'): Promise<readonly string[]>
  /** The paths that were dropped on the window last; once. */
  takeDropped(): readonly string[]
  showInFolder(path: string): void
  readonly platform: NodeJS.Platform
  readonly clock: MonotonicClock
  readonly report: ReportError
  readonly documents: Sections
  /** What becomes of links that lead out of a copied folder; `ask`: the user is asked about each transfer. */
  outerLinks(): 'ask' | LinkChoice
}

/** Files of machines: listed, changed, and copied from and to this computer, over SFTP. */
export function createFiles(deps: FilesDeps) {
  const machines = new Map<string, { account: AccountId; machine: string; files: MachineFiles }>()
  /** Connections of machines that are gone, until what transfers have copied there is removed. */
  const leaving = new Map<string, MachineFiles>()
  const views = createEmitter<FilesView>()
  const changes = createEmitter<Transfer[]>()
  const emitted = new Map<string, string>()
  /** What was downloaded, by transfer. */
  const saved = new Map<string, () => readonly string[]>()
  const kept = createKeptTransfers(deps.documents)
  const sources = new Map<string, TransferSource>()
  let isClosed = false

  const settle = (): void => machines.forEach(({ files }) => files.settle())
  const save = (saved: Promise<void>): void =>
    void saved.catch((error: unknown) => deps.report('files.keepTransfers', error))
  const transfers = createTransfers({
    connection({ account, machine }) {
      const key = resourceKey(account, machine)
      return (machines.get(key)?.files ?? leaving.get(key))?.connection()
    },
    needsChanged: settle,
    changed: () => {
      if (!isClosed) changes.emit(transfers.list())
    },
    settled(transfer) {
      const source = sources.get(transfer.id)
      // What quitting ends stays as it was.
      if (!isClosed && source) save(kept.settled(transfer, source))
    },
    clock: deps.clock,
  })

  function viewOf(account: AccountId, machine: string): FilesView {
    const { files } = of(account, machine)
    return { account, machine, link: files.link() }
  }

  /** Fails with invalid-input (machine). */
  function of(account: AccountId, machine: string) {
    const key = resourceKey(account, machine)
    const known = machines.get(key)
    if (known) return known
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
    const files = machineFiles({
      machines: deps.sshMachines,
      account,
      machine,
      view: () => deps.machine(account, machine),
      isNeeded: () => transfers.needs(account, machine),
      changed() {
        if (isClosed || !machines.has(key)) return
        const view = viewOf(account, machine)
        const text = JSON.stringify(view)
        if (emitted.get(key) === text) return
        emitted.set(key, text)
        views.emit(view)
      },
      connected: () => transfers.connected(),
      clock: deps.clock,
    })
    const made = { account, machine, files }
    machines.set(key, made)
    return made
  }

  /** Fails with invalid-input (machine), also without the user's consent. */
  function allowed({ account, machine }: CallInput<'files.retry'>): MachineFiles {
    const { files } = of(account, machine)
    if (!deps.consents.has(account, machine, 'files'))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'not-ready' })
    return files
  }

  /** The machine was forgotten, or the application quits, while the person picked a place. */
  const isForgotten = ({ account, machine }: CallInput<'files.retry'>, files: MachineFiles): boolean =>
    isClosed || machines.get(resourceKey(account, machine))?.files !== files

  /** Does something on a machine that is connected. Fails with invalid-input (machine) and local-fault. */
  async function onMachine<Value>(
    input: CallInput<'files.retry'>,
    action: 'list' | 'makeFolder' | 'rename' | 'delete',
    act: (sftp: Sftp) => Promise<Value>,
  ): Promise<Value> {
    const files = allowed(input)
    try {
      return await act(await files.sftp())
    } catch (error) {
      if (error instanceof ChannelError || error instanceof MalformedAnswer) files.closeChannel()
      throw filesFailure(error, translate(`files.action.${action}`))
    }
  }

  /** The user is asked about links unless they have chosen for all transfers. */
  const asksAboutLinks =
    (asks: Asks): Asks['links'] =>
    async (links, signal) => {
      const always = deps.outerLinks()
      return always === 'ask' ? asks.links(links, signal) : always
    }

  /** Makes the job once it is needed: a transfer of an earlier start may be of a machine that is not known yet. */
  function lazyJob({ account, machine }: CallInput<'files.retry'>, source: TransferSource) {
    return (progress: Progress, asks: Asks): Job & { saved(): readonly string[] } => {
      let paths = (): readonly string[] => []
      const made = (): Job => {
        const { platform } = deps
        const ask = { ...asks, links: asksAboutLinks(asks) }
        if (source.kind === 'upload') {
          const { reserved } = of(account, machine).files
          return uploadJob({ ...source, reserved, platform, progress, ask })
        }
        const job = downloadJob({ ...source, platform, progress, ask })
        paths = job.saved
        return job
      }
      let job: Job | undefined
      return {
        attempt: (...input) => (job ??= made()).attempt(...input),
        isOnMachine: () => job?.isOnMachine() ?? false,
        discard: async (sftp) => job?.discard(sftp) ?? [],
        saved: () => paths(),
      }
    }
  }

  function add(facts: TransferFacts, source: TransferSource, earlier?: Transfer): Transfer {
    const make = lazyJob(facts, source)
    let paths = (): readonly string[] => []
    const action = translate(`files.action.${source.kind}`)
    const jobOf = (progress: Progress, asks: Asks): Job => {
      const job = make(progress, asks)
      paths = job.saved
      return job
    }
    const transfer = transfers.add(facts, action, jobOf, earlier)
    sources.set(transfer.id, source)
    if (source.kind === 'download') saved.set(transfer.id, () => paths())
    return transfer
  }

  function restore(): void {
    for (const { transfer, source } of kept.all())
      if (!transfers.has(transfer.id)) add(transfer, source, transfer)
  }
  restore()
  const stopRestoring = kept.onLoad(restore)

  const factsOf = ({ account, machine }: CallInput<'files.retry'>, names: readonly string[]) => ({
    account,
    machine,
    machineName: deps.machine(account, machine)?.name ?? machine,
    name: names[0] ?? '',
    others: names.length - 1,
  })

  async function download(input: CallInput<'files.download'>): Promise<Transfer | null> {
    const files = allowed(input)
    const { folder, names } = input
    const [only = ''] = names
    checkNames(names)
    const isOneFile =
      names.length === 1 &&
      (await onMachine(input, 'list', (sftp) => sftp.stat(remotePath(folder, only)))).kind === 'file'
    const path = isOneFile
      ? await deps.chooseTarget(localName(only, deps.platform))
      : await deps.chooseFolder()
    if (path === null || isForgotten(input, files)) return null
    const target = { kind: isOneFile ? 'file' : 'folder', path } as const
    const facts = { ...factsOf(input, names), direction: 'download' } as const
    const transfer = add(facts, { kind: 'download', folder, names, target })
    files.settle()
    return transfer
  }

  async function upload(input: CallInput<'files.upload'>): Promise<Transfer | null> {
    const files = allowed(input)
    const { folder, from } = input
    const paths = from === 'dropped' ? deps.takeDropped() : await deps.chooseUploads(from)
    if (paths.length === 0 || isForgotten(input, files)) return null
    const names = paths.map((path) => path.split(/[\\/]/).at(-1) ?? path)
    const facts = { ...factsOf(input, names), direction: 'upload' } as const
    const transfer = add(facts, { kind: 'upload', folder, paths })
    files.settle()
    return transfer
  }

  async function forget(account: AccountId, gone: (machine: string) => boolean): Promise<void> {
    const left = [...machines].filter(([, one]) => one.account === account && gone(one.machine))
    for (const [key, { files }] of left) {
      machines.delete(key)
      emitted.delete(key)
      leaving.set(key, files)
    }
    const ended = transfers.forget((of) => of.account === account && gone(of.machine))
    await leave(deps.clock, ended, () => {
      for (const [key, { files }] of left) {
        if (leaving.get(key) === files) leaving.delete(key)
        files.close()
      }
    })
    await kept.drop(account, ({ machine }) => gone(machine))
  }
  const forgetSoon = (account: AccountId, gone: (machine: string) => boolean): void =>
    void forget(account, gone).catch((error: unknown) => deps.report('files.forget', error))

  const unfollow = followMachines(deps, {
    machines: () => machines.values(),
    settle,
    forget: forgetSoon,
  })

  const handlers: HandlersOf<typeof filesCalls> = {
    'files.look': ({ account, machine, looking }) => {
      of(account, machine).files.look(looking)
      return viewOf(account, machine)
    },
    'files.retry': ({ account, machine }) => {
      of(account, machine).files.retry()
      return null
    },
    ...browseCalls(onMachine),
    'files.download': download,
    'files.upload': upload,
    ...transferCalls(transfers),
    'files.resume': ({ transfer }) => {
      const found = transfers.list().find(({ id }) => id === transfer)
      // The machine of a transfer of an earlier start may not have been connected to yet.
      if (found) of(found.account, found.machine)
      transfers.resume(transfer)
      settle()
      return transfers.list()
    },
    'files.dismiss': async ({ transfer }) => {
      const account = transfers.list().find(({ id }) => id === transfer)?.account
      await transfers.dismiss(transfer)
      if (transfers.has(transfer)) return transfers.list()
      saved.delete(transfer)
      sources.delete(transfer)
      if (account) await kept.drop(account, ({ id }) => id === transfer)
      return transfers.list()
    },
    'files.show': ({ transfer }) => {
      const [path] = saved.get(transfer)?.() ?? []
      if (path !== undefined) deps.showInFolder(path)
      return null
    },
  }
  const events: EventsOf<typeof filesEvents> = {
    'files.changed': views.on,
    'files.transfersChanged': changes.on,
  }
  return defineModule({
    handlers,
    events,
    /** Transfers that quitting would end. */
    unfinished: transfers.unfinished,
    forgetAccount: (account: AccountId): Promise<void> => forget(account, () => true),
    windowChanged(isOpen: boolean): void {
      if (!isOpen) machines.forEach(({ files }) => files.look(false))
    },
    async close(): Promise<void> {
      isClosed = true
      stopRestoring()
      unfollow()
      await leave(deps.clock, transfers.close(), () => {
        for (const { files } of machines.values()) files.close()
        machines.clear()
      })
    },
  })
}
