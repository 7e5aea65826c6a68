const initialBytes = 4 * 1024

/**
 * Stores the last bytes of the output in a ring buffer, which doubles up to `usualBytes`. Separate chunks of some kilobytes
 * would burden the garbage collector. A position is the number of bytes printed before it.
 */
export function createHistory(usualBytes: number) {
  let ring = new Uint8Array(initialBytes)
  let begin = 0
  let end = 0

  function put(bytes: Uint8Array): void {
    const at = end % ring.length
    ring.set(bytes.subarray(0, ring.length - at), at)
    ring.set(bytes.subarray(ring.length - at))
    end += bytes.length
  }

  function read(from: number, maxBytes: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.min(maxBytes, end - from))
    const at = from % ring.length
    const first = ring.subarray(at, at + bytes.length)
    bytes.set(first)
    bytes.set(ring.subarray(0, bytes.length - first.length), first.length)
    return bytes
  }

  function grow(room: number): void {
    const stored = read(begin, Infinity)
    ring = new Uint8Array(Math.max(room, Math.min(2 * ring.length, usualBytes)))
    end = begin
    put(stored)
  }

  return {
    end: () => end,
    read,
    /** Appends bytes, and drops those before position `from`. */
    push(bytes: Uint8Array, from: number): void {
      begin = Math.min(from, end)
      const room = end + bytes.length - from
      if (room > ring.length) grow(room)
      const skipped = Math.max(0, from - end)
      end += skipped
      begin = Math.max(begin, from)
      put(bytes.subarray(skipped))
    },
  }
}
