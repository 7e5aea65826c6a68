import type { AccountId } from '#shared/bridge/account'
import type { FilesView, filesCalls, filesEvents, Transfer } from '#shared/bridge/files'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import { resourceKey } from '#shared/resource-key'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import { ChannelError } from '../ssh/client/transport'
import { type FollowedMachines, followMachines } from '../ssh/follow-machines'
import { machineRegistry } from '../ssh/machine-registry'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import { browseCalls, type OnMachine } from './browse-calls'
import { createFileTransfers, type FileTransfersDeps } from './file-transfers'
import { filesFailure } from './transfer-failure'
import { checkNames, remotePath } from './transfer-job'
import { localName } from './local-names'
import { type MachineFiles, machineFiles, type MachineFilesDeps } from './machine-files'
import { MalformedAnswer } from './sftp/packet'
import { transferCalls } from './transfers'

export interface FilesDeps
  extends
    FollowedMachines,
    Pick<FileTransfersDeps, 'clock' | 'platform' | 'report' | 'documents' | 'outerLinks'> {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: Pick<OpenConsents, 'has'>
  /** Asks the user for the path of a downloaded file; null: cancelled. */
  chooseTarget(name: string): Promise<string | null>
  chooseFolder(): Promise<string | null>
  chooseUploads(kind: 'files' | 'folder'): Promise<readonly string[]>
  /** Returns the paths that were last dropped on the window, once. */
  takeDropped(): readonly string[]
  showInFolder(path: string): void
}

type OneMachine = CallInput<'files.retry'>

const disconnectTimeoutSeconds = 3

/** Disconnects once transfers have ended, or after a timeout. Resolves once they have ended. */
async function disconnectAfter(
  ended: Promise<void>,
  clock: Pick<Clock, 'after'>,
  disconnect: () => void,
): Promise<void> {
  let cancel = (): void => undefined
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.after(disconnectTimeoutSeconds, resolve)
  })
  await Promise.race([ended, timeout])
  cancel()
  disconnect()
  await ended
}

const createMachines = (
  deps: FilesDeps,
  needs: (account: AccountId, machine: string) => boolean,
  connected: MachineFilesDeps['connected'],
) =>
  machineRegistry<MachineFiles, FilesView>({
    machine: deps.machine,
    view: ({ account, machine, part }): FilesView => ({ account, machine, link: part.link() }),
    create: (account, machine, changed) =>
      machineFiles({
        machines: deps.sshMachines,
        account,
        machine,
        changed,
        connected,
        view: () => deps.machine(account, machine),
        isNeeded: () => needs(account, machine),
        clock: deps.clock,
      }),
  })

interface StartDeps {
  readonly deps: FilesDeps
  readonly files: Pick<ReturnType<typeof createFileTransfers>, 'add'>
  readonly onMachine: OnMachine
  allowed(machine: OneMachine): MachineFiles
  partOf(machine: OneMachine): MachineFiles
  isForgotten(machine: OneMachine, part: MachineFiles): boolean
}

function startCalls({ deps, files, allowed, partOf, isForgotten, onMachine }: StartDeps) {
  const factsOf = ({ account, machine }: OneMachine, names: readonly string[]) => ({
    account,
    machine,
    machineName: deps.machine(account, machine)?.name ?? machine,
    name: names[0] ?? '',
    others: names.length - 1,
  })

  async function download(input: CallInput<'files.download'>): Promise<Transfer | null> {
    const { folder, names, kind } = input
    const [only = ''] = names
    checkNames(names)
    const part = kind === undefined ? allowed(input) : partOf(input)
    const isOneFile =
      names.length === 1 &&
      (kind ?? (await onMachine(input, 'list', (sftp) => sftp.stat(remotePath(folder, only)))).kind) ===
        'file'
    const path = isOneFile
      ? await deps.chooseTarget(localName(only, deps.platform))
      : await deps.chooseFolder()
    if (path === null || isForgotten(input, part)) return null
    const target = { kind: isOneFile ? 'file' : 'folder', path } as const
    const facts = { ...factsOf(input, names), direction: 'download' } as const
    const transfer = files.add(facts, { kind: 'download', folder, names, target })
    part.settle()
    return transfer
  }

  async function upload(input: CallInput<'files.upload'>): Promise<Transfer | null> {
    const part = allowed(input)
    const { folder, from } = input
    const paths = from === 'dropped' ? deps.takeDropped() : await deps.chooseUploads(from)
    if (paths.length === 0 || isForgotten(input, part)) return null
    const names = paths.map((path) => path.split(/[\\/]/).at(-1) ?? path)
    const facts = { ...factsOf(input, names), direction: 'upload' } as const
    const transfer = files.add(facts, { kind: 'upload', folder, paths })
    part.settle()
    return transfer
  }

  return { 'files.download': download, 'files.upload': upload } satisfies Partial<
    HandlersOf<typeof filesCalls>
  >
}

/** Lists and changes files of machines, and copies them to and from this computer, over SFTP. */
export function createFiles(deps: FilesDeps) {
  /** Connections of gone machines, until the incomplete copies there are removed. */
  const leaving = new Map<string, MachineFiles>()
  const machines = createMachines(deps, needs, connected)
  const files = createFileTransfers({
    ...deps,
    connection: ({ account, machine }) =>
      (machines.find(account, machine) ?? leaving.get(resourceKey(account, machine)))?.connection(),
    needsChanged: machines.settle,
    reservedPaths: (account, machine) => machines.of(account, machine).reserved,
  })
  const { transfers } = files
  let isClosed = false

  function needs(account: AccountId, machine: string): boolean {
    return transfers.needs(account, machine)
  }
  function connected(): void {
    transfers.connected()
  }

  /** Returns the files of a machine. Fails with invalid-input (machine), also without the user's consent. */
  function allowed({ account, machine }: OneMachine): MachineFiles {
    const part = machines.of(account, machine)
    if (!deps.consents.has(account, machine, 'files'))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'not-ready' })
    return part
  }

  /** Whether the machine was forgotten, or the application quits, while the user chose a path. */
  const isForgotten = ({ account, machine }: OneMachine, part: MachineFiles): boolean =>
    isClosed || machines.find(account, machine) !== part

  /** Runs an action on a connected machine. Fails with invalid-input (machine) and local-fault. */
  const onMachine: OnMachine = async (input, action, act) => {
    const part = allowed(input)
    try {
      return await act(await part.sftp())
    } catch (error) {
      if (error instanceof ChannelError || error instanceof MalformedAnswer) part.closeChannel()
      throw filesFailure(error, translate(`files.action.${action}`))
    }
  }

  const partOf = ({ account, machine }: OneMachine): MachineFiles => machines.of(account, machine)
  const starts = startCalls({ deps, files, allowed, partOf, isForgotten, onMachine })

  async function forget(account: AccountId, isGone: (machine: string) => boolean): Promise<void> {
    const gone = machines.remove(account, isGone)
    for (const { machine, part } of gone) leaving.set(resourceKey(account, machine), part)
    const ended = transfers.forget((of) => of.account === account && isGone(of.machine))
    await disconnectAfter(ended, deps.clock, () => {
      for (const { machine, part } of gone) {
        const key = resourceKey(account, machine)
        if (leaving.get(key) === part) leaving.delete(key)
        part.close()
      }
    })
    await files.dropKept(account, isGone)
  }

  const unfollow = followMachines(deps, {
    machines: machines.entries,
    settle: machines.settle,
    forget: (account, isGone) =>
      void forget(account, isGone).catch((error: unknown) => deps.report('files.forget', error)),
  })

  const handlers: HandlersOf<typeof filesCalls> = {
    'files.look': ({ account, machine, looking }) => {
      machines.of(account, machine).look(looking)
      return machines.view(account, machine)
    },
    'files.retry': ({ account, machine }) => {
      machines.of(account, machine).retry()
      return null
    },
    ...browseCalls(onMachine),
    ...starts,
    ...transferCalls(transfers),
    'files.resume': ({ transfer: id }) => {
      const transfer = files.find(id)
      // The machine of a restored transfer may not be open yet.
      if (transfer) machines.of(transfer.account, transfer.machine)
      transfers.resume(id)
      machines.settle()
      return transfers.list()
    },
    'files.dismiss': async ({ transfer }) => {
      await files.dismiss(transfer)
      return transfers.list()
    },
    'files.show': ({ transfer }) => {
      const path = files.savedPath(transfer)
      if (path !== undefined) deps.showInFolder(path)
      return null
    },
  }
  const events: EventsOf<typeof filesEvents> = {
    'files.changed': machines.onView,
    'files.transfersChanged': files.onChange,
  }
  return defineModule({
    handlers,
    events,
    unfinished: transfers.unfinished,
    forgetAccount: (account: AccountId): Promise<void> => forget(account, () => true),
    windowChanged(isOpen: boolean): void {
      if (!isOpen) for (const { part } of machines.entries()) part.look(false)
    },
    async close(): Promise<void> {
      isClosed = true
      machines.mute()
      unfollow()
      await disconnectAfter(files.close(), deps.clock, machines.close)
    },
  })
}
