import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FilesView, FolderView, LinkChoice, TakenChoice, Transfer } from '#shared/bridge/files'
import type { CallInput } from '#shared/bridge/index'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useResourceMap } from './per-account'

export type FilesPlace = Pick<CallInput<'files.download'>, 'account' | 'machine' | 'folder'>

/** Files of the machines in view, and every transfer. */
export const useFiles = defineStore('files', () => {
  const transfers = shallowRef<readonly Transfer[]>([])
  const views = useResourceMap<FilesView>()
  const keep = (view: FilesView): void => void views.set(resourceKey(view.account, view.machine), view)
  /** Number of pushed lists. A reply is outdated if a push arrived after its request. */
  let pushes = 0
  function pushed(next: readonly Transfer[]): void {
    pushes += 1
    transfers.value = next
  }
  async function change<
    Name extends
      | 'files.transfers'
      | 'files.answer'
      | 'files.answerLinks'
      | 'files.cancel'
      | 'files.resume'
      | 'files.dismiss',
  >(name: Name, input: CallInput<Name>): Promise<void> {
    const before = pushes
    const next = await bridge.call(name, input)
    if (pushes === before) transfers.value = next
  }
  bridge.on('files.changed', keep)

  /** The first transfer with a question about a name that exists already. */
  const asking = computed(() => {
    for (const { state, ...transfer } of transfers.value)
      if (state.kind === 'asking') return { ...transfer, ...state }
    return null
  })
  const answer = (
    { id: transfer, name }: { readonly id: string; readonly name: string },
    choice: TakenChoice,
    forAll: boolean,
  ): Promise<void> => change('files.answer', { transfer, name, choice, forAll })

  const askingLinks = computed(() => {
    for (const { state, ...transfer } of transfers.value)
      if (state.kind === 'asking-links') return { ...transfer, ...state }
    return null
  })
  const answerLinks = (transfer: string, choice: LinkChoice): Promise<void> =>
    change('files.answerLinks', { transfer, choice })

  /** The machine on which files were dropped before its folder was open. */
  const dropped = shallowRef<{ readonly account: AccountId; readonly machine: string } | null>(null)
  const isDropped = (account: AccountId, machine: string): boolean =>
    dropped.value?.account === account && dropped.value.machine === machine

  // If the call fails, the next change brings the list.
  function start(): void {
    bridge.on('files.transfersChanged', pushed)
    change('files.transfers', {}).catch(() => undefined)
  }
  const view = (account: AccountId, machine: string): FilesView | null =>
    views.get(resourceKey(account, machine)) ?? null
  const look = async (account: AccountId, machine: string, looking: boolean): Promise<void> =>
    keep(await bridge.call('files.look', { account, machine, looking }))
  const retry = (account: AccountId, machine: string) => bridge.call('files.retry', { account, machine })
  const list = (account: AccountId, machine: string, path: string | null): Promise<FolderView> =>
    bridge.call('files.list', { account, machine, path })
  const makeFolder = (place: FilesPlace, name: string) => bridge.call('files.makeFolder', { ...place, name })
  const rename = (place: FilesPlace, name: string, to: string) =>
    bridge.call('files.rename', { ...place, name, to })
  const remove = (place: FilesPlace, names: string[]) => bridge.call('files.delete', { ...place, names })
  const download = (place: FilesPlace, names: string[], kind?: 'file' | 'folder') =>
    bridge.call('files.download', { ...place, names, ...(kind && { kind }) })
  const upload = (place: FilesPlace, from: CallInput<'files.upload'>['from']) =>
    bridge.call('files.upload', { ...place, from })
  const cancel = (transfer: string): Promise<void> => change('files.cancel', { transfer })
  const resume = (transfer: string): Promise<void> => change('files.resume', { transfer })
  const dismiss = (transfer: string): Promise<void> => change('files.dismiss', { transfer })
  const show = (transfer: string) => bridge.call('files.show', { transfer })

  return {
    transfers,
    asking,
    answer,
    askingLinks,
    answerLinks,
    start,
    view,
    look,
    retry,
    list,
    makeFolder,
    rename,
    remove,
    download,
    upload,
    cancel,
    resume,
    dismiss,
    show,
    dropped,
    isDropped,
  }
})
