import type { ServerChannel } from 'ssh2'
import type { ClientOutput } from '../client-output'
import { MalformedPacket, packetsOf } from './packet'
import { createSftp, type SftpDeps } from './requests'

/**
 * Serves SFTP in a channel until the client ends it, and returns the exit status. Requests are handled in order, and
 * reading pauses while the client does not read replies. The SFTP server of ssh2 sends no exit status, which scp treats as
 * a failure, and buffers replies without limit.
 */
export async function runSftp(
  deps: SftpDeps,
  channel: ServerChannel,
  output: ClientOutput,
  disconnected: AbortSignal,
): Promise<number> {
  const answer = createSftp(deps)
  try {
    for await (const packet of packetsOf(channel.iterator({ destroyOnReturn: false }))) {
      await output.write(answer(packet), disconnected)
    }
    return 0
  } catch (error) {
    if (error instanceof MalformedPacket) return 1
    throw error
  }
}
