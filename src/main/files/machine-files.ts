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
  /** Whether a transfer needs the connection. */
  isNeeded(): boolean
  /** A connection is open. */
  connected(): void
  readonly clock: Clock
}

/** A hold on the machine's connection, and the SFTP channel that the user browses with. */
export function machineFiles(deps: MachineFilesDeps) {
  let isAllowed = false
  let isLooking = false
  /** Paths that uploads have taken, before the machine has them. */
  const reserved = new Set<string>()
  let channel: { readonly of: SshConnection; readonly sftp: Promise<Sftp> } | undefined

  function closeChannel(): void {
    channel?.sftp.then(
      (sftp) => sftp.close(),
      () => undefined,
    )
    channel = undefined
  }
  const link = leaseWhile({
    ...deps,
    isWanted: () => deps.isNeeded() || (isAllowed && isLooking),
    mayAsk: () => true,
    trustsFirstKey: () => true,
    isUrgent: deps.isNeeded,
    opened: deps.connected,
    closed: closeChannel,
  })

  return {
    link: (): SshLink => link.view(),
    connection: link.connection,
    reserved,
    isAllowed: () => isAllowed,
    settle: link.settle,
    retry: link.retry,
    look(looking: boolean, allow: boolean): void {
      isAllowed ||= allow
      isLooking = looking
      link.settle()
    },
    /** Fails with ChannelError where the machine is not connected or has no SFTP. */
    async sftp(): Promise<Sftp> {
      const connection = link.connection()
      if (!connection) throw new ChannelError('lost', 'not connected')
      if (channel?.of !== connection) {
        closeChannel()
        channel = {
          of: connection,
          sftp: openOwn(connection, deps.clock),
        }
      }
      return channel.sftp
    },
    /** What it said makes no sense: the next request begins anew. */
    closeChannel,
    close(): void {
      closeChannel()
      link.close()
    },
  }
}
export type MachineFiles = ReturnType<typeof machineFiles>
