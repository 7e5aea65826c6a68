import type { AccountId } from '#shared/bridge/account'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../core/clock'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { leaseWhile, type LeaseWhileDeps } from '../ssh/machines/lease-while'
import { openOwn } from './sessions'
import type { Sftp } from './sftp/client'

export interface MachineFilesDeps extends Pick<LeaseWhileDeps, 'machines' | 'view' | 'changed'> {
  readonly account: AccountId
  readonly machine: string
  isNeeded(): boolean
  connected(): void
  readonly clock: Clock
}

/** Holds the machine's connection while the user browses, and while transfers need it. Opens the SFTP channel to browse. */
export function machineFiles(deps: MachineFilesDeps) {
  let isLooking = false
  let isClosed = false
  const reserved = new Set<string>()
  let channel: { readonly connection: SshConnection; readonly sftp: Promise<Sftp> } | undefined

  function closeChannel(): void {
    channel?.sftp.then(
      (sftp) => sftp.close(),
      () => undefined,
    )
    channel = undefined
  }
  const browsing = leaseWhile({
    ...deps,
    mayAsk: () => true,
    trustsFirstKey: () => true,
    purpose: 'files',
    isWanted: () => isLooking,
    isUrgent: () => false,
    opened: () => undefined,
    closed: closeChannel,
  })
  const transferring = leaseWhile({
    ...deps,
    mayAsk: () => true,
    trustsFirstKey: () => true,
    purpose: 'action',
    isWanted: deps.isNeeded,
    isUrgent: () => true,
    opened: deps.connected,
    closed: () => undefined,
  })
  function settle(): void {
    transferring.settle()
    browsing.settle()
    if (!isClosed) deps.changed()
  }

  return {
    link: (): SshLink => (isLooking ? browsing : transferring).view(),
    connection: transferring.connection,
    reserved,
    settle,
    retry: (): void => (deps.isNeeded() ? transferring : browsing).retry(),
    look(looking: boolean): void {
      isLooking = looking
      settle()
    },
    /** Returns the channel to browse. Fails with ChannelError if the machine is not connected or has no SFTP. */
    async sftp(): Promise<Sftp> {
      const connection = browsing.connection()
      if (!connection) throw new ChannelError('lost', 'not connected')
      if (channel?.connection !== connection) {
        closeChannel()
        channel = { connection, sftp: openOwn(connection, deps.clock) }
      }
      return channel.sftp
    },
    closeChannel,
    close(): void {
      isClosed = true
      closeChannel()
      browsing.close()
      transferring.close()
    },
  }
}
export type MachineFiles = ReturnType<typeof machineFiles>
