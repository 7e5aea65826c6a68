import type { Clock } from '../../clock'
import { absolutePath, type Disk, type DirectoryEntry, type OpenFile } from '../disk/disk'
import { DiskError } from '../disk/disk-error'
import { longFormatLine } from '../disk/long-format'
import {
  attributesField,
  OpenFlag,
  type PacketReader,
  PacketType,
  readPacket,
  StatusCode,
  writePacket,
} from './packet'

export interface SftpDeps {
  readonly disk: Disk
  readonly home: string
  readonly username: string
  readonly now: Clock['now']
}

/** Upper bound on the bytes in one reply to a read. Clients request the rest. */
const maxReadBytes = 128 * 1024
const namesPerAnswer = 100
const openHandles = 256
const version = 3

const noFlags = 0

interface OpenDirectory {
  readonly entries: readonly DirectoryEntry[]
  listed: number
}

const statusOf = (error: DiskError): number => {
  if (error.code === 'ENOENT') return StatusCode.noSuchFile
  if (error.code === 'EACCES') return StatusCode.permissionDenied
  return StatusCode.failure
}

const statusPacket = (request: number, code: number, message: string): Buffer =>
  writePacket(PacketType.status, [request, code, message, ''])

/**
 * Handles the packets of one SFTP client (version 3, draft-ietf-secsh-filexfer-02) on a disk in memory. Links and
 * extensions are not supported. The returned function throws MalformedPacket.
 */
export function createSftp({ disk, home, username, now }: SftpDeps): (packet: Buffer) => Buffer {
  const files = new Map<number, OpenFile>()
  const directories = new Map<number, OpenDirectory>()
  let lastHandle = 0

  const opened = <T>(table: Map<number, T>, request: number, open: () => T): Buffer => {
    if (files.size + directories.size >= openHandles) throw new DiskError('EMFILE')
    const value = open()
    lastHandle += 1
    table.set(lastHandle, value)
    return writePacket(PacketType.handle, [request, String(lastHandle)])
  }
  const handleOf = <T>(table: Map<number, T>, fields: PacketReader): T => {
    const value = table.get(Number(fields.text()))
    if (!value) throw new DiskError('EINVAL')
    return value
  }
  const path = (fields: PacketReader) => absolutePath(home, fields.text())
  const ok = (request: number) => statusPacket(request, StatusCode.ok, 'Success')
  const end = (request: number) => statusPacket(request, StatusCode.endOfFile, 'End of file')

  const open = (request: number, fields: PacketReader): Buffer => {
    const file = path(fields)
    const flags = fields.uint32()
    const mode = {
      write: (flags & OpenFlag.write) !== 0,
      append: (flags & OpenFlag.append) !== 0,
      create: (flags & OpenFlag.create) !== 0,
      exclusive: (flags & OpenFlag.exclusive) !== 0,
      truncate: (flags & OpenFlag.truncate) !== 0,
      permissions: fields.attributes().mode,
    }
    return opened(files, request, () => disk.open(file, mode))
  }
  const read = (request: number, fields: PacketReader): Buffer => {
    const file = handleOf(files, fields)
    const data = file.read(fields.uint64(), Math.min(fields.uint32(), maxReadBytes))
    return data.length === 0 ? end(request) : writePacket(PacketType.data, [request, data])
  }
  const readDirectory = (request: number, fields: PacketReader): Buffer => {
    const directory = handleOf(directories, fields)
    const entries = directory.entries.slice(directory.listed, directory.listed + namesPerAnswer)
    if (entries.length === 0) return end(request)
    directory.listed += entries.length
    const names = entries.flatMap(({ name, attributes }) => [
      name,
      longFormatLine(name, attributes, username, now()),
      attributesField(attributes),
    ])
    return writePacket(PacketType.name, [request, entries.length, ...names])
  }
  const attributes = (request: number, of: Pick<OpenFile, 'attributes'>): Buffer =>
    writePacket(PacketType.attributes, [request, attributesField(of.attributes())])

  const answer = (type: number, request: number, fields: PacketReader): Buffer => {
    switch (type) {
      case PacketType.open:
        return open(request, fields)
      case PacketType.close: {
        const handle = Number(fields.text())
        if (!files.delete(handle) && !directories.delete(handle)) throw new DiskError('EINVAL')
        return ok(request)
      }
      case PacketType.read:
        return read(request, fields)
      case PacketType.write:
        handleOf(files, fields).write(fields.uint64(), fields.bytes())
        return ok(request)
      case PacketType.fstat:
        return attributes(request, handleOf(files, fields))
      case PacketType.fsetstat:
        handleOf(files, fields).change(fields.attributes())
        return ok(request)
      case PacketType.stat:
      case PacketType.lstat: {
        const file = path(fields)
        return attributes(request, { attributes: () => disk.attributes(file) })
      }
      case PacketType.setstat:
        disk.change(path(fields), fields.attributes())
        return ok(request)
      case PacketType.opendir: {
        const directory = path(fields)
        return opened(directories, request, () => ({ entries: disk.list(directory), listed: 0 }))
      }
      case PacketType.readdir:
        return readDirectory(request, fields)
      case PacketType.remove:
        disk.removeFile(path(fields))
        return ok(request)
      case PacketType.mkdir:
        disk.makeDirectory(path(fields), fields.attributes().mode)
        return ok(request)
      case PacketType.rmdir:
        disk.removeDirectory(path(fields))
        return ok(request)
      case PacketType.rename:
        disk.rename(path(fields), path(fields))
        return ok(request)
      case PacketType.realpath: {
        const name = path(fields)
        return writePacket(PacketType.name, [request, 1, name, name, noFlags])
      }
      default:
        return statusPacket(request, StatusCode.unsupported, 'Not offered by the sandbox')
    }
  }

  return (packet) => {
    const fields = readPacket(packet)
    const type = fields.byte()
    if (type === PacketType.init) return writePacket(PacketType.version, [version])
    const request = fields.uint32()
    try {
      return answer(type, request, fields)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      return statusPacket(request, statusOf(error), error.message)
    }
  }
}
