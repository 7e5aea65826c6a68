import { posix } from 'node:path'
import type { Clock } from '../../clock'
import {
  ordinaryUid,
  type AttributeChange,
  type Attributes,
  type Disk,
  type InitialEntry,
  type OpenFile,
  type OpenMode,
} from './disk'
import { DiskError } from './disk-error'
import { createFileContent, type FileContent } from './file-content'
import type { Quota } from './quota'

interface Inode {
  permissions: number
  readonly uid: number
  atime: number
  mtime: number
}
interface FileNode extends Inode {
  readonly kind: 'file'
  readonly content: FileContent
}
interface DirectoryNode extends Inode {
  readonly kind: 'directory'
  readonly entries: Map<string, Node>
}
type Node = FileNode | DirectoryNode

const fileType = { file: 0o100000, directory: 0o040000 } as const
const permissionBits = 0o7777
const umask = 0o022
/** bytes counted per file or directory, beside its content */
const nodeSize = 512
/** bytes that a directory reports, as ext4 does */
const directorySize = 4096

/** `now` in epoch seconds. Throws ENOSPC, with nothing reserved, where `initial` exceeds the quota. */
export function createMemoryDisk(quota: Quota, now: Clock['now'], initial: readonly InitialEntry[]): Disk {
  const inode = (permissions: number, uid: number): Inode => {
    quota.reserve(nodeSize)
    return { permissions: permissions & permissionBits, uid, atime: now(), mtime: now() }
  }
  const newDirectory = (permissions: number, uid: number): DirectoryNode => ({
    kind: 'directory',
    entries: new Map(),
    ...inode(permissions, uid),
  })
  const newFile = (permissions: number, uid: number): FileNode => ({
    kind: 'file',
    content: createFileContent(quota),
    ...inode(permissions, uid),
  })
  const root = newDirectory(0o755, 0)

  const find = (path: string): Node => {
    let node: Node = root
    for (const name of path.split('/')) {
      if (name === '') continue
      if (node.kind !== 'directory') throw new DiskError('ENOTDIR')
      const next = node.entries.get(name)
      if (!next) throw new DiskError('ENOENT')
      node = next
    }
    return node
  }
  const directory = (path: string): DirectoryNode => {
    const node = find(path)
    if (node.kind !== 'directory') throw new DiskError('ENOTDIR')
    return node
  }
  const mustWrite = (node: Node) => {
    if (node.uid !== ordinaryUid && (node.permissions & 0o002) === 0) throw new DiskError('EACCES')
  }
  /** The directory that holds `path`, and the last name. */
  const place = (path: string): { parent: DirectoryNode; name: string } => {
    if (path === '/') throw new DiskError('EEXIST')
    return { parent: directory(posix.dirname(path)), name: posix.basename(path) }
  }
  const vacant = (path: string): { parent: DirectoryNode; name: string } => {
    const found = place(path)
    if (found.parent.entries.has(found.name)) throw new DiskError('EEXIST')
    mustWrite(found.parent)
    return found
  }
  const put = (parent: DirectoryNode, name: string, node: Node) => {
    parent.entries.set(name, node)
    parent.mtime = now()
  }
  // A handle can outlive its file: the memory of a removed file is released, so it takes no more writes.
  const removed = new WeakSet<Node>()
  const mustExist = (node: Node) => {
    if (removed.has(node)) throw new DiskError('ENOENT')
  }
  // A list rather than recursion: renames can nest directories deeper than the stack.
  const release = (top: Node) => {
    const waiting = [top]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (node.kind === 'file') node.content.resize(0)
      else for (const child of node.entries.values()) waiting.push(child)
      removed.add(node)
      quota.release(nodeSize)
    }
  }
  const remove = (path: string, allowed: (node: Node) => void) => {
    if (path === '/') throw new DiskError('EACCES')
    const { parent, name } = place(path)
    const node = find(path)
    mustWrite(parent)
    allowed(node)
    parent.entries.delete(name)
    parent.mtime = now()
    release(node)
  }

  const attributesOf = (node: Node): Attributes => ({
    mode: fileType[node.kind] | node.permissions,
    uid: node.uid,
    gid: node.uid,
    size: node.kind === 'file' ? node.content.size() : directorySize,
    atime: node.atime,
    mtime: node.mtime,
  })
  const changeNode = (node: Node, change: AttributeChange) => {
    mustWrite(node)
    if ((change.uid ?? node.uid) !== node.uid || (change.gid ?? node.uid) !== node.uid) {
      throw new DiskError('EACCES')
    }
    if (change.size !== undefined) {
      if (node.kind !== 'file') throw new DiskError('EISDIR')
      node.content.resize(change.size)
      node.mtime = now()
    }
    node.permissions = (change.mode ?? node.permissions) & permissionBits
    node.atime = change.atime ?? node.atime
    node.mtime = change.mtime ?? node.mtime
  }
  const openNode = (node: FileNode, mode: OpenMode): OpenFile => ({
    attributes: () => attributesOf(node),
    read: (offset, length) => node.content.read(offset, length),
    write: (offset, data) => {
      mustExist(node)
      if (!mode.write) throw new DiskError('EACCES')
      node.content.write(mode.append ? node.content.size() : offset, data)
      node.mtime = now()
    },
    change: (change) => {
      mustExist(node)
      changeNode(node, change)
    },
  })

  const populate = () => {
    for (const entry of initial) {
      const { parent, name } = place(entry.path)
      if (entry.content === undefined) {
        put(parent, name, newDirectory(entry.permissions, entry.uid))
      } else {
        const file = newFile(entry.permissions, entry.uid)
        put(parent, name, file)
        file.content.write(0, Buffer.from(entry.content))
      }
    }
  }
  try {
    populate()
  } catch (error) {
    release(root)
    throw error
  }

  return {
    attributes: (path) => attributesOf(find(path)),
    list: (path) =>
      Array.from(directory(path).entries, ([name, node]) => ({ name, attributes: attributesOf(node) })),
    open: (path, mode) => {
      if (path === '/') throw new DiskError('EISDIR')
      const { parent, name } = place(path)
      let node = parent.entries.get(name)
      if (!node) {
        if (!mode.create) throw new DiskError('ENOENT')
        mustWrite(parent)
        node = newFile((mode.permissions ?? 0o666) & ~umask, ordinaryUid)
        put(parent, name, node)
      } else if (mode.create && mode.exclusive) {
        throw new DiskError('EEXIST')
      }
      if (node.kind === 'directory') throw new DiskError('EISDIR')
      if (mode.write) mustWrite(node)
      if (mode.write && mode.truncate) changeNode(node, { size: 0 })
      return openNode(node, mode)
    },
    change: (path, change) => {
      changeNode(find(path), change)
    },
    makeDirectory: (path, permissions = 0o777) => {
      const { parent, name } = vacant(path)
      put(parent, name, newDirectory(permissions & ~umask, ordinaryUid))
    },
    removeFile: (path) => {
      remove(path, (node) => {
        if (node.kind === 'directory') throw new DiskError('EISDIR')
      })
    },
    removeDirectory: (path) => {
      remove(path, (node) => {
        if (node.kind === 'file') throw new DiskError('ENOTDIR')
        if (node.entries.size > 0) throw new DiskError('ENOTEMPTY')
      })
    },
    removeTree: (path) => {
      remove(path, (node) => {
        mustWrite(node)
      })
    },
    rename: (from, to) => {
      const source = place(from)
      const node = find(from)
      const target = vacant(to)
      mustWrite(source.parent)
      if (`${to}/`.startsWith(`${from}/`)) throw new DiskError('EINVAL')
      source.parent.entries.delete(source.name)
      source.parent.mtime = now()
      put(target.parent, target.name, node)
    },
    usage: () => ({ total: quota.total, used: quota.used() }),
    discard: () => {
      release(root)
      root.entries.clear()
    },
  }
}
