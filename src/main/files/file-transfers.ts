import type { AccountId } from '#shared/bridge/account'
import type { LinkChoice, Transfer } from '#shared/bridge/files'
import { createEmitter } from '#shared/emitter'
import { translate } from '#shared/messages/index'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import { downloadJob } from './download-job'
import { createKeptTransfers, type TransferSource } from './kept-transfers'
import type { Asks, Job, Progress } from './transfer-job'
import { createTransfers, type TransfersDeps } from './transfers'
import { uploadJob } from './upload-job'

type TransferFacts = Pick<Transfer, 'account' | 'machine' | 'machineName' | 'direction' | 'name' | 'others'>

export interface FileTransfersDeps extends Pick<TransfersDeps, 'connection' | 'needsChanged' | 'clock'> {
  readonly platform: NodeJS.Platform
  readonly report: ReportError
  readonly documents: Sections
  /** Choice for links that lead out of a copied folder; `ask`: asks the user at each transfer. */
  outerLinks(): 'ask' | LinkChoice
  /** Returns the paths that uploads to a machine will create. Fails with invalid-input (machine). */
  reservedPaths(account: AccountId, machine: string): Set<string>
}

/** Adds transfers by their source and destination, and restores failed transfers after a restart. */
export function createFileTransfers(deps: FileTransfersDeps) {
  const { platform } = deps
  const changes = createEmitter<Transfer[]>()
  const kept = createKeptTransfers(deps.documents)
  const sources = new Map<string, TransferSource>()
  const savedPaths = new Map<string, () => readonly string[]>()
  let isClosed = false

  const transfers = createTransfers({
    clock: deps.clock,
    connection: deps.connection,
    needsChanged: deps.needsChanged,
    changed: () => {
      if (!isClosed) changes.emit(transfers.list())
    },
    settled(transfer) {
      const source = sources.get(transfer.id)
      // Quitting cancels transfers, and must not drop failed ones.
      if (isClosed || !source) return
      kept.settled(transfer, source).catch((error: unknown) => deps.report('files.keepTransfers', error))
    },
  })

  function add(facts: TransferFacts, source: TransferSource, earlier?: Transfer): Transfer {
    let saved = (): readonly string[] => []
    function jobOf(progress: Progress, asks: Asks): Job {
      const ask: Asks = {
        conflict: asks.conflict,
        links: async (links, signal) => {
          const choice = deps.outerLinks()
          return choice === 'ask' ? asks.links(links, signal) : choice
        },
      }
      if (source.kind === 'upload') {
        const reserved = (): Set<string> => deps.reservedPaths(facts.account, facts.machine)
        return uploadJob({ ...source, reserved, platform, progress, ask })
      }
      const download = downloadJob({ ...source, platform, progress, ask })
      saved = download.saved
      return download
    }
    const transfer = transfers.add(facts, translate(`files.action.${source.kind}`), jobOf, earlier)
    sources.set(transfer.id, source)
    savedPaths.set(transfer.id, saved)
    return transfer
  }

  function restore(): void {
    for (const { transfer, source } of kept.all())
      if (!transfers.has(transfer.id)) add(transfer, source, transfer)
  }
  restore()
  const stopRestoring = kept.onLoad(restore)

  return {
    transfers,
    onChange: changes.on,
    add,
    find: (id: string): Transfer | undefined => transfers.list().find((transfer) => transfer.id === id),
    savedPath: (id: string): string | undefined => savedPaths.get(id)?.()[0],
    async dismiss(id: string): Promise<void> {
      const account = transfers.list().find((transfer) => transfer.id === id)?.account
      await transfers.dismiss(id)
      if (transfers.has(id)) return
      savedPaths.delete(id)
      sources.delete(id)
      if (account) await kept.drop(account, (transfer) => transfer.id === id)
    },
    dropKept: (account: AccountId, isGone: (machine: string) => boolean): Promise<void> =>
      kept.drop(account, ({ machine }) => isGone(machine)),
    close(): Promise<void> {
      isClosed = true
      stopRestoring()
      return transfers.close()
    },
  }
}
