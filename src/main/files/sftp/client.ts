import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../../core/clock'
import { createMutex } from '../../core/mutex'
import { errorOf } from '../../ssh/client/channel-stream'
import {
  type Attributes,
  lengthOf,
  longestHandle,
  MalformedAnswer,
  OpenFlag,
  Packet,
  type Piece,
} from './packet'
import { type Answer, SftpError, sftpSession } from './session'

/** A name in a folder, as the machine spells it. */
export interface RemoteEntry extends Attributes {
  readonly name: string
  /** It is no UTF-8, so that no request can name it. */
  readonly isUnreadable: boolean
}
export interface Listing {
  readonly entries: readonly RemoteEntry[]
  /** The folder has more than was read. */
  readonly isCut: boolean
}

/** An open file. Offsets and lengths in bytes. */
export interface RemoteFile {
  /** At most `length` bytes at an offset, in pieces as they came; null at the end of the file. */
  read(offset: number, length: number): Promise<readonly Buffer[] | null>
  /** Once that is done the piece may have other content. */
  write(offset: number, piece: Piece): Promise<void>
  attributes(): Promise<Attributes>
  setMode(mode: number): Promise<void>
  /** Sets the time of the last change (epoch seconds). */
  setTime(modifiedAt: number): Promise<void>
  close(): Promise<void>
}

/** Entries that one folder is read up to, and answers that it may come in. */
export interface ListLimits {
  readonly entries: number
  readonly answers: number
}
const listLimits: ListLimits = { entries: 20_000, answers: 5_000 }

/** Bytes at most: of a handle, of a name in the file systems there are, and of a path. */
const longest = { handle: longestHandle, name: 1_024, path: 4_096 }

/** Bytes of one read or write (§3): with its header it fits one packet of SSH, of 32 KiB. */
export const everyServerTakes = 32 * 1024 - 512

/** Attributes that set these permissions, or none (§5). The machine's umask applies to what it makes with them. */
const withMode = (mode: number | null): readonly number[] => (mode === null ? [0] : [0x04, mode])

/** Greatest time that an attribute can have (§5): in 2106. */
const latestTime = 0xffff_ffff
/** Attributes that set the time of the last change. The time of the last access is set with it: to now. */
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
 * The server gave a handle to a second file while the first was open, so that it confuses both: ssh_sftpd of Erlang/OTP 25
 * with three handles (`new_handle` expects them in order). What was being written is worth nothing.
 */
export class ReusedHandle extends Error {
  override readonly name = 'ReusedHandle'
}

/** Limits the open handles of a channel: `one` file or folder at a time, or any number until the server reuses a handle. */
function openHandles(one: boolean, fail: (error: Error) => void) {
  const open = new Set<string>()
  const turns = createMutex()
  const ends = new Map<string, () => void>()
  return {
    /** Runs a request that answers a handle, once it may. */
    async take(ask: () => Promise<Buffer>): Promise<Buffer> {
      if (!one) return register(await ask())
      return new Promise((resolve, reject) => {
        void turns(
          () =>
            new Promise<void>((release) => {
              ask().then(
                (handle) => {
                  ends.set(handle.toString('latin1'), release)
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
    /** Runs a request that closes a handle. The server may use its number again once it has received that. */
    async end(handle: Buffer, close: () => Promise<void>): Promise<void> {
      const key = handle.toString('latin1')
      open.delete(key)
      await close().finally(() => {
        ends.get(key)?.()
        ends.delete(key)
      })
    },
  }
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
}

const posixRename = 'posix-rename@openssh.com'

/** An SFTP client of version 3 (draft-ietf-secsh-filexfer-02) over a channel. Fails as sftpSession does. */
export async function openSftp(channel: Duplex, clock: Pick<Clock, 'after'>, oneHandle = false) {
  const session = sftpSession(channel, clock)
  const extensions = await session.open()
  const { request } = session
  const handles = openHandles(oneHandle, session.fail)
  const openWith = (...sent: Parameters<typeof request>): Promise<Buffer> =>
    handles.take(async () => answerOf(await request(...sent), Packet.handle).bytes(longest.handle))

  const done = async (...sent: Parameters<typeof request>): Promise<void> => {
    answerOf(await request(...sent), Packet.status)
  }
  const closeHandle = (handle: Buffer): Promise<void> => handles.end(handle, () => done(Packet.close, handle))
  const attributesAt = async (type: number, of: string | Buffer): Promise<Attributes> =>
    answerOf(await request(type, of), Packet.attributes).attributes()
  /** Whether the machine has a path, as a link too. */
  const isThere = async (path: string): Promise<boolean> => {
    try {
      await attributesAt(Packet.lstat, path)
      return true
    } catch (error) {
      if (error instanceof SftpError && error.problem === 'no-such-file') return false
      throw error
    }
  }

  async function* named(handle: Buffer, limits: ListLimits): AsyncGenerator<RemoteEntry, boolean> {
    let count = 0
    for (let answers = 0; answers < limits.answers; answers += 1) {
      const answer = await request(Packet.readdir, handle)
      if (answer === null) return false
      const fields = answerOf(answer, Packet.name)
      for (let left = fields.word(); left > 0; left -= 1) {
        const bytes = fields.bytes(longest.name)
        // The line that `ls -l` would print.
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

  return {
    async list(path: string, limits: ListLimits = listLimits): Promise<Listing> {
      const handle = await openWith(Packet.opendir, path)
      try {
        const entries: RemoteEntry[] = []
        const names = named(handle, limits)
        for (;;) {
          const { done: isOver, value } = await names.next()
          if (isOver) return { entries, isCut: value }
          entries.push(value)
        }
      } finally {
        closeHandle(handle).catch(() => undefined)
      }
    },
    /** The absolute path of a path; `.` is the person's home. */
    async realPath(path: string): Promise<string> {
      const fields = answerOf(await request(Packet.realpath, path), Packet.name)
      if (fields.word() !== 1) throw new MalformedAnswer('not one path')
      return fields.bytes(longest.path).toString()
    },
    /** Follows links. */
    stat: (path: string): Promise<Attributes> => attributesAt(Packet.stat, path),
    lstat: (path: string): Promise<Attributes> => attributesAt(Packet.lstat, path),
    /**
     * Opens a file. `new`: fails if the path exists. `part`: for writing, as it is. `again`: for writing, emptied. `mode`:
     * permissions of a file that this makes; null: the server's default.
     */
    async open(
      path: string,
      how: 'read' | 'new' | 'part' | 'again',
      mode: number | null = null,
    ): Promise<RemoteFile> {
      const flags = {
        read: OpenFlag.read,
        new: OpenFlag.write | OpenFlag.create | OpenFlag.exclusive,
        part: OpenFlag.write,
        again: OpenFlag.write | OpenFlag.create | OpenFlag.truncate,
      }[how]
      const handle = await openWith(Packet.open, path, flags, ...withMode(mode))
      return {
        async read(offset, length) {
          const answer = await request(Packet.read, handle, BigInt(offset), length)
          if (answer === null) return null
          answerOf(answer, Packet.data)
          const bytes = lengthOf(answer.data)
          if (bytes === 0 || bytes > length) throw new MalformedAnswer('not the bytes asked for')
          return answer.data
        },
        write: (offset, piece) => done(Packet.write, handle, BigInt(offset), piece),
        attributes: () => attributesAt(Packet.fstat, handle),
        setMode: (to) => done(Packet.fsetstat, handle, ...withMode(to)),
        setTime: (modifiedAt) => done(Packet.fsetstat, handle, ...withTime(modifiedAt)),
        close: () => closeHandle(handle),
      }
    },
    /** Bytes of one read and of one write that this server takes (OpenSSH's PROTOCOL, §4.8), or, where it doesn't say, that every one does. */
    async limits(): Promise<{ readonly read: number; readonly write: number }> {
      const least = { read: everyServerTakes, write: everyServerTakes }
      if (!extensions.has('limits@openssh.com')) return least
      try {
        const fields = answerOf(await request(Packet.extended, 'limits@openssh.com'), Packet.extendedReply)
        // Of a packet.
        fields.long()
        const [read, write] = [fields.long(), fields.long()]
        return { read: Math.max(read, least.read), write: Math.max(write, least.write) }
      } catch (error) {
        if (error instanceof SftpError || error instanceof MalformedAnswer) return least
        throw error
      }
    },
    /** Room where a path is (OpenSSH's PROTOCOL, §4.3); null: the server doesn't report it. In bytes. */
    async space(path: string): Promise<{ readonly free: number; readonly reserved: number } | null> {
      if (!extensions.has('statvfs@openssh.com')) return null
      const answer = await request(Packet.extended, 'statvfs@openssh.com', path)
      const fields = answerOf(answer, Packet.extendedReply)
      fields.long()
      const [fragment, blocks, all, free] = [fields.long(), fields.long(), fields.long(), fields.long()]
      return blocks === 0 ? null : { free: free * fragment, reserved: all * fragment }
    },
    makeFolder: (path: string, mode: number | null = null): Promise<void> =>
      done(Packet.mkdir, path, ...withMode(mode)),
    /** Follows links. */
    setMode: (path: string, mode: number): Promise<void> => done(Packet.setstat, path, ...withMode(mode)),
    /** Sets the time of the last change (epoch seconds). Follows links. */
    setTime: (path: string, modifiedAt: number): Promise<void> =>
      done(Packet.setstat, path, ...withTime(modifiedAt)),
    /** Returns the text of a link; null: it is no UTF-8. */
    async readLink(path: string): Promise<string | null> {
      const fields = answerOf(await request(Packet.readlink, path), Packet.name)
      if (fields.word() !== 1) throw new MalformedAnswer('not one path')
      const bytes = fields.bytes(longest.path)
      const text = bytes.toString()
      return Buffer.from(text).equals(bytes) ? text : null
    },
    /**
     * Makes a link. Servers differ in the order of the two paths (§6.10 names the link first, OpenSSH's PROTOCOL §4.1 the
     * text), so that the wrong order would make a link where `text` leads.
     */
    makeLink: (path: string, text: string, order: 'text-first' | 'link-first'): Promise<void> =>
      order === 'text-first' ? done(Packet.symlink, text, path) : done(Packet.symlink, path, text),
    removeFile: (path: string): Promise<void> => done(Packet.remove, path),
    removeFolder: (path: string): Promise<void> => done(Packet.rmdir, path),
    /**
     * Renames to a free path. Fails with SftpError if the machine has that path. OpenSSH makes a hard link for a plain
     * rename (`process_rename`), which some disks refuse; posix-rename works there, and may replace a file.
     */
    async rename(from: string, to: string): Promise<void> {
      if (await isThere(to)) throw new SftpError('failure', 'File exists')
      try {
        await done(Packet.rename, from, to)
      } catch (error) {
        if (!(error instanceof SftpError) || error.problem === 'no-such-file') throw error
        if (!extensions.has(posixRename) || (await isThere(to))) throw error
        await done(Packet.extended, posixRename, from, to)
      }
    },
    /**
     * Renames over a file or link that is there, in one step. Returns false if the machine refuses that, whatever its
     * reason: servers on Windows and some disks report a plain failure if the path exists.
     */
    async replace(from: string, to: string): Promise<boolean> {
      if (!extensions.has(posixRename)) return false
      try {
        await done(Packet.extended, posixRename, from, to)
        return true
      } catch (error) {
        if (error instanceof SftpError) return false
        throw error
      }
    },
    close: session.close,
  }
}
export type Sftp = Awaited<ReturnType<typeof openSftp>>
