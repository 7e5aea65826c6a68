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
/** Bytes counted per file or directory, without its content. */
const nodeSize = 512
/** Bytes that a directory reports, as with ext4. */
const directorySize = 4096

const requireWritable = (node: Node): void => {
  if (node.uid !== ordinaryUid && (node.permissions & 0o002) === 0) throw new DiskError('EACCES')
}

const attributesOf = (node: Node): Attributes => ({
  mode: fileType[node.kind] | node.permissions,
  uid: node.uid,
  gid: node.uid,
  size: node.kind === 'file' ? node.content.size() : directorySize,
  atime: node.atime,
  mtime: node.mtime,
})

/** Creates, changes and releases nodes, whose memory is counted in `quota`. */
function createNodes(quota: Quota, now: Clock['now']) {
  /** Removed nodes. A handle can outlive its file, whose memory was released: it accepts no more writes. */
  const removed = new WeakSet<Node>()
  const requireExisting = (node: Node): void => {
    if (removed.has(node)) throw new DiskError('ENOENT')
  }
  const inode = (permissions: number, uid: number): Inode => {
    quota.reserve(nodeSize)
    return { permissions: permissions & permissionBits, uid, atime: now(), mtime: now() }
  }
  const change = (node: Node, changes: AttributeChange): void => {
    requireWritable(node)
    if ((changes.uid ?? node.uid) !== node.uid || (changes.gid ?? node.uid) !== node.uid)
      throw new DiskError('EACCES')
    if (changes.size !== undefined) {
      if (node.kind !== 'file') throw new DiskError('EISDIR')
      node.content.resize(changes.size)
      node.mtime = now()
    }
    node.permissions = (changes.mode ?? node.permissions) & permissionBits
    node.atime = changes.atime ?? node.atime
    node.mtime = changes.mtime ?? node.mtime
  }
  return {
    directory: (permissions: number, uid: number): DirectoryNode => ({
      kind: 'directory',
      entries: new Map(),
      ...inode(permissions, uid),
    }),
    file: (permissions: number, uid: number): FileNode => ({
      kind: 'file',
      content: createFileContent(quota),
      ...inode(permissions, uid),
    }),
    change,
    open: (node: FileNode, mode: OpenMode): OpenFile => ({
      attributes: () => attributesOf(node),
      read: (offset, length) => node.content.read(offset, length),
      write: (offset, data) => {
        requireExisting(node)
        if (!mode.write) throw new DiskError('EACCES')
        node.content.write(mode.append ? node.content.size() : offset, data)
        node.mtime = now()
      },
      change: (changes) => {
        requireExisting(node)
        change(node, changes)
      },
    }),
    /** Releases a tree. Not recursive, because renames can nest directories deeper than the call stack. */
    release(top: Node): void {
      const waiting = [top]
      for (let node = waiting.pop(); node; node = waiting.pop()) {
        if (node.kind === 'file') node.content.resize(0)
        else for (const child of node.entries.values()) waiting.push(child)
        removed.add(node)
        quota.release(nodeSize)
      }
    },
  }
}

function createTree(root: DirectoryNode, now: Clock['now']) {
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
  /** Returns the directory of `path` and the last name. */
  const place = (path: string): { parent: DirectoryNode; name: string } => {
    if (path === '/') throw new DiskError('EEXIST')
    return { parent: directory(posix.dirname(path)), name: posix.basename(path) }
  }
  const put = (parent: DirectoryNode, name: string, node: Node): void => {
    parent.entries.set(name, node)
    parent.mtime = now()
  }
  const take = (parent: DirectoryNode, name: string): void => {
    parent.entries.delete(name)
    parent.mtime = now()
  }
  /** Returns the place of a path that must not exist yet. */
  const vacant = (path: string): { parent: DirectoryNode; name: string } => {
    const target = place(path)
    if (target.parent.entries.has(target.name)) throw new DiskError('EEXIST')
    requireWritable(target.parent)
    return target
  }
  return {
    find,
    directory,
    place,
    vacant,
    put,
    rename(from: string, to: string): void {
      const source = place(from)
      const node = find(from)
      const target = vacant(to)
      requireWritable(source.parent)
      if (`${to}/`.startsWith(`${from}/`)) throw new DiskError('EINVAL')
      take(source.parent, source.name)
      put(target.parent, target.name, node)
    },
    /** Removes a node that passes `check` and returns it. */
    remove(path: string, check: (node: Node) => void): Node {
      if (path === '/') throw new DiskError('EACCES')
      const { parent, name } = place(path)
      const node = find(path)
      requireWritable(parent)
      check(node)
      take(parent, name)
      return node
    },
  }
}

/** Creates a disk. `now`: epoch seconds. Throws ENOSPC, with nothing reserved, if `initial` exceeds the quota. */
export function createMemoryDisk(quota: Quota, now: Clock['now'], initial: readonly InitialEntry[]): Disk {
  const nodes = createNodes(quota, now)
  const root = nodes.directory(0o755, 0)
  const tree = createTree(root, now)

  const populate = (): void => {
    for (const { path, permissions, uid, content } of initial) {
      const { parent, name } = tree.place(path)
      if (content === undefined) {
        tree.put(parent, name, nodes.directory(permissions, uid))
      } else {
        const file = nodes.file(permissions, uid)
        tree.put(parent, name, file)
        file.content.write(0, Buffer.from(content))
      }
    }
  }
  try {
    populate()
  } catch (error) {
    nodes.release(root)
    throw error
  }

  return {
    attributes: (path) => attributesOf(tree.find(path)),
    list: (path) =>
      Array.from(tree.directory(path).entries, ([name, node]) => ({ name, attributes: attributesOf(node) })),
    open: (path, mode) => {
      if (path === '/') throw new DiskError('EISDIR')
      const { parent, name } = tree.place(path)
      let node = parent.entries.get(name)
      if (!node) {
        if (!mode.create) throw new DiskError('ENOENT')
        requireWritable(parent)
        node = nodes.file((mode.permissions ?? 0o666) & ~umask, ordinaryUid)
        tree.put(parent, name, node)
      } else if (mode.create && mode.exclusive) {
        throw new DiskError('EEXIST')
      }
      if (node.kind === 'directory') throw new DiskError('EISDIR')
      if (mode.write) requireWritable(node)
      if (mode.write && mode.truncate) nodes.change(node, { size: 0 })
      return nodes.open(node, mode)
    },
    change: (path, change) => nodes.change(tree.find(path), change),
    makeDirectory: (path, permissions = 0o777) => {
      const { parent, name } = tree.vacant(path)
      tree.put(parent, name, nodes.directory(permissions & ~umask, ordinaryUid))
    },
    removeFile: (path) => {
      const node = tree.remove(path, ({ kind }) => {
        if (kind === 'directory') throw new DiskError('EISDIR')
      })
      nodes.release(node)
    },
    removeDirectory: (path) => {
      const node = tree.remove(path, (directory) => {
        if (directory.kind === 'file') throw new DiskError('ENOTDIR')
        if (directory.entries.size > 0) throw new DiskError('ENOTEMPTY')
      })
      nodes.release(node)
    },
    removeTree: (path) => nodes.release(tree.remove(path, requireWritable)),
    rename: tree.rename,
    usage: () => ({ total: quota.total, used: quota.used() }),
    discard: () => {
      nodes.release(root)
      root.entries.clear()
    },
  }
}
