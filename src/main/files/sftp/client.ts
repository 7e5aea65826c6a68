import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../../core/clock'
import { createMutex } from '../../core/mutex'
import { errorOf } from '../../ssh/client/channel-stream'
import {
  type Attributes,
  lengthOf,
  maxHandleBytes,
  MalformedAnswer,
  OpenFlag,
  Packet,
  type Piece,
} from './packet'
import { type Answer, ifRefused, isAccepted, SftpError, sftpSession } from './session'

/** Entry of a folder. `name`: as the machine spells it. */
export interface RemoteEntry extends Attributes {
  readonly name: string
  /** The name is not UTF-8, so that no request can use it. */
  readonly isUnreadable: boolean
}
export interface Listing {
  readonly entries: readonly RemoteEntry[]
  /** The folder has more entries than the limits allow. */
  readonly isCut: boolean
}

/** Open file. Offsets and lengths in bytes. */
export interface RemoteFile {
  /** Reads at most `length` bytes, in pieces as received; null: the end of the file. */
  read(offset: number, length: number): Promise<readonly Buffer[] | null>
  /** Writes a piece. Its memory may be used again once this resolves. */
  write(offset: number, piece: Piece): Promise<void>
  attributes(): Promise<Attributes>
  setMode(mode: number): Promise<void>
  setTime(modifiedAt: number): Promise<void>
  close(): Promise<void>
}

export interface ListLimits {
  readonly entries: number
  readonly answers: number
}
const listLimits: ListLimits = { entries: 20_000, answers: 5_000 }

/** Bytes of a name in common file systems, and of a path. */
const maxNameBytes = 1_024
const maxPathBytes = 4_096

/** Bytes of one read or write that every server accepts (§3): with its header it fits one SSH packet of 32 KiB. */
export const safeBytes = 32 * 1024 - 512

/** Attributes that set permissions; null: none (§5). The machine's umask applies to new files and folders. */
const withMode = (mode: number | null): readonly number[] => (mode === null ? [0] : [0x04, mode])

/** Latest time of an attribute (§5): in 2106. */
const latestTime = 0xffff_ffff
/** Attributes that set the time of the last change, and the time of the last access to now. */
const withTime = (modifiedAt: number): readonly number[] => [
  0x08,
  Math.min(latestTime, Math.floor(systemClock.now())),
  Math.min(latestTime, Math.max(0, Math.floor(modifiedAt))),
]

function answerOf(answer: Answer | null, type: number): Answer['fields'] {
  if (answer?.type !== type) throw new MalformedAnswer('an answer of another kind')
  return answer.fields
}

/**
 * The server used the handle of an open file for a second file and confuses both, like ssh_sftpd of Erlang/OTP 25 with three
 * handles (`new_handle` expects them in order). The data written so far is worthless.
 */
export class ReusedHandle extends Error {
  override readonly name = 'ReusedHandle'
}

/** Limits the open handles of a channel: one at a time, or any number until the server reuses a handle. */
function openHandles(isOneAtATime: boolean, fail: (error: Error) => void) {
  const open = new Set<string>()
  const turns = createMutex()
  const releases = new Map<string, () => void>()

  function register(handle: Buffer): Buffer {
    const key = handle.toString('latin1')
    if (open.has(key)) {
      const error = new ReusedHandle('the server reuses handles')
      fail(error)
      throw error
    }
    open.add(key)
    return handle
  }
  return {
    async take(request: () => Promise<Buffer>): Promise<Buffer> {
      if (!isOneAtATime) return register(await request())
      return new Promise((resolve, reject) => {
        void turns(
          () =>
            new Promise<void>((release) => {
              request().then(
                (handle) => {
                  releases.set(handle.toString('latin1'), release)
                  resolve(register(handle))
                },
                (error: unknown) => {
                  release()
                  reject(errorOf(error))
                },
              )
            }),
        )
      })
    },
    /** Runs a request that closes a handle. The server may reuse the handle once it has received the request. */
    async end(handle: Buffer, close: () => Promise<void>): Promise<void> {
      const key = handle.toString('latin1')
      open.delete(key)
      await close().finally(() => {
        releases.get(key)?.()
        releases.delete(key)
      })
    },
  }
}

function createRequests({ request, fail }: ReturnType<typeof sftpSession>, isOneAtATime: boolean) {
  type Request = Parameters<typeof request>
  const handles = openHandles(isOneAtATime, fail)
  const run = async (...sent: Request): Promise<void> => {
    answerOf(await request(...sent), Packet.status)
  }
  return {
    request,
    run,
    open: (...sent: Request): Promise<Buffer> =>
      handles.take(async () => answerOf(await request(...sent), Packet.handle).bytes(maxHandleBytes)),
    close: (handle: Buffer): Promise<void> => handles.end(handle, () => run(Packet.close, handle)),
    attributes: async (type: number, target: string | Buffer): Promise<Attributes> =>
      answerOf(await request(type, target), Packet.attributes).attributes(),
    async path(type: number, path: string): Promise<Buffer> {
      const fields = answerOf(await request(type, path), Packet.name)
      if (fields.word() !== 1) throw new MalformedAnswer('not one path')
      return fields.bytes(maxPathBytes)
    },
    extended: async (...sent: readonly string[]): Promise<Answer['fields']> =>
      answerOf(await request(Packet.extended, ...sent), Packet.extendedReply),
  }
}
type Requests = ReturnType<typeof createRequests>

async function* readFolder(
  { request }: Requests,
  handle: Buffer,
  limits: ListLimits,
): AsyncGenerator<RemoteEntry, boolean> {
  let count = 0
  for (let answers = 0; answers < limits.answers; answers += 1) {
    const answer = await request(Packet.readdir, handle)
    if (answer === null) return false
    const fields = answerOf(answer, Packet.name)
    for (let remaining = fields.word(); remaining > 0; remaining -= 1) {
      const bytes = fields.bytes(maxNameBytes)
      // Skips the text of `ls -l`.
      fields.bytes()
      const attributes = fields.attributes()
      const name = bytes.toString()
      if (name === '.' || name === '..') continue
      if (count >= limits.entries) return true
      count += 1
      yield { ...attributes, name, isUnreadable: !Buffer.from(name).equals(bytes) }
    }
  }
  return true
}

async function listFolder(requests: Requests, path: string, limits: ListLimits): Promise<Listing> {
  const handle = await requests.open(Packet.opendir, path)
  try {
    const entries: RemoteEntry[] = []
    const reading = readFolder(requests, handle, limits)
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return { entries, isCut: value }
      entries.push(value)
    }
  } finally {
    requests.close(handle).catch(() => undefined)
  }
}

const remoteFile = ({ request, run, attributes, close }: Requests, handle: Buffer): RemoteFile => ({
  async read(offset, length) {
    const answer = await request(Packet.read, handle, BigInt(offset), length)
    if (answer === null) return null
    answerOf(answer, Packet.data)
    const bytes = lengthOf(answer.data)
    if (bytes === 0 || bytes > length) throw new MalformedAnswer('not the bytes asked for')
    return answer.data
  },
  write: (offset, piece) => run(Packet.write, handle, BigInt(offset), piece),
  attributes: () => attributes(Packet.fstat, handle),
  setMode: (mode) => run(Packet.fsetstat, handle, ...withMode(mode)),
  setTime: (modifiedAt) => run(Packet.fsetstat, handle, ...withTime(modifiedAt)),
  close: () => close(handle),
})

/** Bytes of one read and one write that a server accepts (OpenSSH's PROTOCOL, §4.8). */
async function transferLimits({
  extended,
}: Requests): Promise<{ readonly read: number; readonly write: number }> {
  try {
    const fields = await extended('limits@openssh.com')
    // Skips the limit of a packet.
    fields.long()
    const [read, write] = [fields.long(), fields.long()]
    return { read: Math.max(read, safeBytes), write: Math.max(write, safeBytes) }
  } catch (error) {
    if (!(error instanceof SftpError || error instanceof MalformedAnswer)) throw error
    return { read: safeBytes, write: safeBytes }
  }
}

const posixRename = 'posix-rename@openssh.com'
const openFlags = {
  /** Fails if the path exists. */
  new: OpenFlag.write | OpenFlag.create | OpenFlag.exclusive,
  read: OpenFlag.read,
  /** For writing, with its content. */
  part: OpenFlag.write,
  /** For writing, emptied. */
  again: OpenFlag.write | OpenFlag.create | OpenFlag.truncate,
} as const

/**
 * Opens an SFTP client of version 3 (draft-ietf-secsh-filexfer-02) over a channel. Fails as sftpSession does.
 * `isOneAtATime`: opens one file or folder at a time.
 */
export async function openSftp(channel: Duplex, clock: Pick<Clock, 'after'>, isOneAtATime = false) {
  const session = sftpSession(channel, clock)
  const extensions = await session.open()
  const requests = createRequests(session, isOneAtATime)
  const { run, attributes, path: pathOf } = requests
  const lstat = (path: string): Promise<Attributes> => attributes(Packet.lstat, path)
  const exists = (path: string): Promise<boolean> =>
    lstat(path).then(() => true, ifRefused(false, 'no-such-file'))

  return {
    list: (path: string, limits: ListLimits = listLimits): Promise<Listing> =>
      listFolder(requests, path, limits),
    /** Returns the absolute path; `.` is the user's home. */
    realPath: async (path: string): Promise<string> => (await pathOf(Packet.realpath, path)).toString(),
    /** Follows links. */
    stat: (path: string): Promise<Attributes> => attributes(Packet.stat, path),
    lstat,
    /** Opens a file. `mode`: permissions of a new file; null: the server's default. */
    async open(
      path: string,
      purpose: keyof typeof openFlags,
      mode: number | null = null,
    ): Promise<RemoteFile> {
      const handle = await requests.open(Packet.open, path, openFlags[purpose], ...withMode(mode))
      return remoteFile(requests, handle)
    },
    limits: async (): Promise<{ readonly read: number; readonly write: number }> =>
      extensions.has('limits@openssh.com') ? transferLimits(requests) : { read: safeBytes, write: safeBytes },
    /** Returns the free bytes at a path (OpenSSH's PROTOCOL, §4.3); null: not reported. */
    async space(path: string): Promise<{ readonly free: number; readonly reserved: number } | null> {
      if (!extensions.has('statvfs@openssh.com')) return null
      const fields = await requests.extended('statvfs@openssh.com', path)
      fields.long()
      const [fragment, blocks, all, free] = [fields.long(), fields.long(), fields.long(), fields.long()]
      return blocks === 0 ? null : { free: free * fragment, reserved: all * fragment }
    },
    makeFolder: (path: string, mode: number | null = null): Promise<void> =>
      run(Packet.mkdir, path, ...withMode(mode)),
    /** Follows links. */
    setMode: (path: string, mode: number): Promise<void> => run(Packet.setstat, path, ...withMode(mode)),
    /** Sets the time of the last change (epoch seconds). Follows links. */
    setTime: (path: string, modifiedAt: number): Promise<void> =>
      run(Packet.setstat, path, ...withTime(modifiedAt)),
    /** Returns the text of a link; null: not UTF-8. */
    async readLink(path: string): Promise<string | null> {
      const bytes = await pathOf(Packet.readlink, path)
      const text = bytes.toString()
      return Buffer.from(text).equals(bytes) ? text : null
    },
    /**
     * Makes a link. Servers differ in the order of the two paths: §6.10 names the link first, OpenSSH's PROTOCOL §4.1 the
     * text. The wrong order would make a link at the path `text`.
     */
    makeLink: (path: string, text: string, order: 'text-first' | 'link-first'): Promise<void> =>
      order === 'text-first' ? run(Packet.symlink, text, path) : run(Packet.symlink, path, text),
    removeFile: (path: string): Promise<void> => run(Packet.remove, path),
    removeFolder: (path: string): Promise<void> => run(Packet.rmdir, path),
    /**
     * Renames to a free path. Fails with SftpError if the path exists. OpenSSH makes a hard link for a plain rename
     * (`process_rename`), which some disks refuse; posix-rename works there, and may replace a file.
     */
    async rename(from: string, to: string): Promise<void> {
      if (await exists(to)) throw new SftpError('failure', 'File exists')
      try {
        await run(Packet.rename, from, to)
      } catch (error) {
        if (!(error instanceof SftpError) || error.problem === 'no-such-file') throw error
        if (!extensions.has(posixRename) || (await exists(to))) throw error
        await run(Packet.extended, posixRename, from, to)
      }
    },
    /**
     * Renames over an existing file or link in one step. Returns false if the machine refuses, for any reason: servers on
     * Windows and some disks report a plain failure if the path exists.
     */
    replace: async (from: string, to: string): Promise<boolean> =>
      extensions.has(posixRename) && isAccepted(run(Packet.extended, posixRename, from, to)),
    close: session.close,
  }
}
export type Sftp = Awaited<ReturnType<typeof openSftp>>
