import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../core/clock'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { wantedLink, type WantedLinkDeps } from '../ssh/wanted-link'
import { openOwn } from './sessions'
import type { Sftp } from './sftp/client'

export interface MachineFilesDeps extends Pick<
  WantedLinkDeps,
  'machine' | 'isAwake' | 'reach' | 'open' | 'record' | 'changed' | 'network' | 'random' | 'report'
> {
  /** A transfer needs it. */
  isNeeded(): boolean
  /** A connection is open. */
  connected(): void
  readonly clock: Clock
}

/** The connection to one machine, and the SFTP channel on it with which the person browses. */
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
  const link = wantedLink({
    ...deps,
    isWanted: () => deps.isNeeded() || (isAllowed && isLooking),
    action: 'files.connect',
    begin: deps.connected,
    end: closeChannel,
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
