import { randomUUID } from 'node:crypto'
import { remotePath } from './transfer-job'
import type { outerLinks } from './links'
import type { JobFolder } from './created-folders'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { statThere } from './name-conflicts'

type LinkOrder = Parameters<Sftp['makeLink']>[2]

function unlessRefused(error: unknown): false {
  if (error instanceof SftpError) return false
  throw error
}

const isLink = async (sftp: Sftp, path: string): Promise<boolean> =>
  (await statThere(sftp, path))?.kind === 'link'

/** Finds the server's order of the paths of a link by making one in a folder of ours; null: it makes no links. */
async function linkOrder(sftp: Sftp, folder: string): Promise<LinkOrder | null> {
  const [link, text] = [remotePath(folder, `.${randomUUID()}`), remotePath(folder, `.${randomUUID()}`)]
  await sftp.makeLink(link, text, 'text-first').catch(unlessRefused)
  for (const [path, order] of [
    [link, 'text-first'],
    [text, 'link-first'],
  ] as const)
    if (await isLink(sftp, path)) {
      await sftp.removeFile(path)
      return order
    }
  return null
}

/** Makes links on a machine, in the copies of folders. Fails as Sftp does if the connection is lost. */
export async function makeLinksThere(
  sftp: Sftp,
  folders: readonly JobFolder[],
  links: Pick<ReturnType<typeof outerLinks>, 'make'>,
): Promise<void> {
  let order: LinkOrder | null | undefined
  await links.make(async (path, text) => {
    order ??= await linkOrder(sftp, folders[0]?.path ?? '')
    if (order === null) return false
    const wasMade = await sftp.makeLink(path, text, order).then(() => true, unlessRefused)
    // The answer to an earlier request may have been lost with the connection.
    return wasMade || isLink(sftp, path)
  })
}
