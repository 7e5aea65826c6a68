// The icon containers of Windows and macOS.

/**
 * @typedef {{ size: number, png: Buffer, rgba: Buffer }} Drawing a square of `size` pixels; `rgba` from the
 * top left
 */

/**
 * Returns a picture in .ico form: a bitmap from the bottom up, in BGRA, and an unused mask (its alpha
 * replaces it).
 *
 * @param {Drawing} drawing
 */
const bitmap = ({ size, rgba }) => {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const rows = Array.from({ length: size }, (_, row) => {
    const start = (size - 1 - row) * size * 4
    const pixels = Buffer.from(rgba.subarray(start, start + size * 4)).swap32()
    // ABGR of the swap to BGRA.
    for (let at = 0; at < pixels.length; at += 4) {
      const alpha = pixels[at] ?? 0
      pixels.copyWithin(at, at + 1, at + 4)
      pixels[at + 3] = alpha
    }
    return pixels
  })
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size)
  return Buffer.concat([header, ...rows, mask])
}

/**
 * Windows: bitmaps, which every program reads, and PNG for 256 pixels.
 *
 * @param {readonly Drawing[]} drawings
 */
export const ico = (drawings) => {
  const images = drawings.map((drawing) => (drawing.size < 256 ? bitmap(drawing) : drawing.png))
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  images.forEach((image, index) => {
    const at = 6 + 16 * index
    const size = (drawings[index]?.size ?? 0) % 256
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(image.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += image.length
  })
  return Buffer.concat([head, ...images])
}

/**
 * macOS: types of PNG pictures by pixels; 16 pixels at 1x are scaled from 32, as some programs show its PNG
 * type garbled.
 */
const icnsTypes = /** @type {const} */ ([
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
])

/** @param {readonly Drawing[]} drawings */
export const icns = (drawings) => {
  const entries = icnsTypes.map(([type, size]) => {
    const png = drawings.find((drawing) => drawing.size === size)?.png
    if (!png) throw new Error(`no drawing of ${size} pixels`)
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(png.length + 8, 4)
    return Buffer.concat([head, png])
  })
  const all = Buffer.concat(entries)
  const head = Buffer.alloc(8)
  head.write('icns', 'latin1')
  head.writeUInt32BE(all.length + 8, 4)
  return Buffer.concat([head, all])
}
