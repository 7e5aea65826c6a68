/**
 * The last bytes of what is printed, in one piece of memory that grows with them up to `usual`: pieces of some kilobytes
 * each are the work of the garbage collector. A place is the number of bytes that were printed before it.
 */
export function createHistory(usual: number) {
  let ring = new Uint8Array(4 * 1024)
  /** Places. */
  let begin = 0
  let end = 0

  function put(bytes: Uint8Array): void {
    const at = end % ring.length
    ring.set(bytes.subarray(0, ring.length - at), at)
    ring.set(bytes.subarray(ring.length - at))
    end += bytes.length
  }

  /** A copy of what was printed from a place on, which must still be kept, of so many bytes at most. */
  function read(from: number, most: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.min(most, end - from))
    const at = from % ring.length
    const first = ring.subarray(at, at + bytes.length)
    bytes.set(first)
    bytes.set(ring.subarray(0, bytes.length - first.length), first.length)
    return bytes
  }

  function grow(room: number): void {
    const kept = read(begin, Infinity)
    ring = new Uint8Array(Math.max(room, Math.min(2 * ring.length, usual)))
    end = begin
    put(kept)
  }

  return {
    end: () => end,
    read,
    /** Puts bytes behind what is kept, of which nothing before `from` is kept from now on. */
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
