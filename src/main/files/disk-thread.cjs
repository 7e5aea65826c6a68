// Reads and writes complete small files of this computer with blocking calls, in its own thread. In the main process each
// asynchronous call would switch threads, which takes several times as long as the call.
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

/**
 * @typedef {import('./disk').DiskWork} DiskWork
 * @typedef {import('./disk').LocalEntry} LocalEntry
 */

/** Same as original-fs.ts, which a thread cannot load. */
const plainFs = /** @type {typeof import('node:fs')} */ (
  process.getBuiltinModule('original-fs') ?? process.getBuiltinModule('node:fs')
)
const {
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  openSync,
  opendirSync,
  readSync,
  writeSync,
} = plainFs

/** Same as `listedFile` in local-names.ts. */
const listedFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const blockSize = 512

/** @param {Uint8Array} content */
const digestOf = (content) => createHash('sha256').update(content).digest('hex')

/**
 * @template Value
 * @param {string} path
 * @param {string | number} flags
 * @param {(descriptor: number) => Value} use
 * @param {number} [mode]
 */
function withDescriptor(path, flags, use, mode) {
  const descriptor = openSync(path, flags, mode)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * @param {import('node:fs').Stats | undefined} stats
 * @returns {LocalEntry['kind']}
 */
function kindOf(stats) {
  if (stats?.isFile()) return 'file'
  if (stats?.isSymbolicLink()) return 'link'
  return stats?.isDirectory() ? 'folder' : 'other'
}

/**
 * @param {string} path
 * @returns {LocalEntry}
 */
function look(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return {
    kind: kindOf(stats),
    size: stats?.size ?? 0,
    mode: (stats?.mode ?? 0) & 0o7777,
    modifiedAt: Math.floor((stats?.mtimeMs ?? 0) / 1000),
  }
}

/** @type {DiskWork} */
const work = {
  list(folder, maxNames) {
    const names = []
    const entries = opendirSync(folder)
    try {
      for (let entry = entries.readSync(); entry; entry = entries.readSync())
        if (names.push(entry.name) > maxNames) return null
    } finally {
      entries.closeSync()
    }
    return names
  },

  look: (paths) => paths.map(look),

  read(files) {
    const bytes = new Uint8Array(files.reduce((sum, { before, size }) => sum + before + size + blockSize, 0))
    let end = 0
    const contents = files.map(({ path, size, before }) => {
      const at = end + before
      try {
        // Reads one byte more to detect a file that has grown.
        const length = withDescriptor(path, listedFile, (descriptor) =>
          readSync(descriptor, bytes, at, size + 1, 0),
        )
        if (length !== size) return null
      } catch {
        return null
      }
      end = at + Math.ceil(size / blockSize) * blockSize
      bytes.fill(0, at + size, end)
      return { at, digest: digestOf(bytes.subarray(at, at + size)) }
    })
    return { bytes: bytes.subarray(0, end), contents }
  },

  write(files, bytes, made) {
    return files.map(({ path, isMade, at, size, mode, modifiedAt }, index) => {
      /** @param {number} descriptor */
      const fill = (descriptor) => {
        made[index] = 1
        for (let done = 0; done < size;) done += writeSync(descriptor, bytes, at + done, size - done, done)
        if (mode && mode.final !== mode.whileCopied) fchmodSync(descriptor, mode.final)
        if (modifiedAt === null) return
        try {
          futimesSync(descriptor, Date.now() / 1000, modifiedAt)
        } catch {
          made[index] = 2
        }
      }
      try {
        withDescriptor(path, isMade ? 'w' : 'wx', fill, mode?.whileCopied)
        return digestOf(bytes.subarray(at, at + size))
      } catch {
        // The main process copies the file itself, or reports the error.
        return null
      }
    })
  },
}

/** @param {import('./disk').DiskCall} call */
function answer({ name, input }) {
  if (name === 'list') return work.list(...input)
  if (name === 'look') return work.look(...input)
  if (name === 'read') return work.read(...input)
  return work.write(...input)
}

parentPort?.on('message', (/** @type {import('./disk').DiskCall} */ call) => {
  try {
    const value = answer(call)
    const moved = value && 'bytes' in value ? [value.bytes.buffer] : []
    parentPort?.postMessage({ value }, moved)
  } catch (error) {
    const { message, code } = /** @type {NodeJS.ErrnoException} */ (error)
    parentPort?.postMessage({ error: { message, code } })
  }
})
