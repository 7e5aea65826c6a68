import { randomUUID } from 'node:crypto'
import { remotePath } from './transfer-job'
import type { outerLinks } from './links'
import type { JobFolder } from './created-folders'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { statRemote } from './name-conflicts'
import { refusalText } from './transfer-failure'

type LinkOrder = Parameters<Sftp['makeLink']>[2]

function refusalOf(error: unknown): SftpError {
  if (error instanceof SftpError) return error
  throw error
}

const isLink = async (sftp: Sftp, path: string): Promise<boolean> =>
  (await statRemote(sftp, path))?.kind === 'link'

/** Detects the server's order of a link's paths by making a link in our own folder. Returns the server's refusal, if any. */
async function linkOrder(sftp: Sftp, folder: string): Promise<LinkOrder | SftpError> {
  const [link, text] = [remotePath(folder, `.${randomUUID()}`), remotePath(folder, `.${randomUUID()}`)]
  const refusal = await sftp.makeLink(link, text, 'text-first').catch(refusalOf)
  for (const [path, order] of [
    [link, 'text-first'],
    [text, 'link-first'],
  ] as const)
    if (await isLink(sftp, path)) {
      await sftp.removeFile(path)
      return order
    }
  return refusal ?? new SftpError('unsupported', '')
}

/** Makes links in the copies of folders on a machine. Fails as Sftp does if the connection is lost. */
export async function makeRemoteLinks(
  sftp: Sftp,
  folders: readonly JobFolder[],
  links: Pick<ReturnType<typeof outerLinks>, 'make'>,
): Promise<void> {
  let order: LinkOrder | SftpError | undefined
  await links.make(async (path, text) => {
    order ??= await linkOrder(sftp, folders[0]?.path ?? '')
    if (order instanceof SftpError) return refusalText(order)
    const refusal = await sftp.makeLink(path, text, order).catch(refusalOf)
    // The answer to an earlier request may have been lost with the connection.
    return !refusal || (await isLink(sftp, path)) ? null : refusalText(refusal)
  })
}
