import type { ServerChannel } from 'ssh2'
import type { ClientOutput } from '../client-output'
import { MalformedPacket, packetsOf } from './packet'
import { createSftp, type SftpDeps } from './requests'

/**
 * Serves SFTP in a channel until the client ends it; returns the exit status. One request is answered after the other,
 * and none is read while the client does not read its answers. The SFTP server of the ssh2 package is not used: it
 * sends no exit status, which scp takes for a failure, and keeps any number of answers for a client that does not read.
 */
export async function runSftp(
  parts: SftpDeps,
  channel: ServerChannel,
  output: ClientOutput,
  gone: AbortSignal,
): Promise<number> {
  const answer = createSftp(parts)
  try {
    for await (const packet of packetsOf(channel.iterator({ destroyOnReturn: false }))) {
      await output.write(answer(packet), gone)
    }
    return 0
  } catch (error) {
    if (error instanceof MalformedPacket) return 1
    throw error
  }
}
