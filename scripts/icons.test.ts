import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const build = join(import.meta.dirname, '../build')
const read = (file: string): Buffer => readFileSync(join(build, file))
const width = (png: Buffer): number => png.readUInt32BE(16)
const height = (png: Buffer): number => png.readUInt32BE(20)
const sizes = [16, 22, 24, 32, 48, 64, 128, 256, 512, 1024]

describe('the icons of npm run icons', () => {
  it.each(sizes)('have a picture of %d pixels', (size) => {
    const png = read(`icons/${size}.png`)
    expect([width(png), height(png)]).toEqual([size, size])
  })

  it('are an .ico with complete entries of each size that Windows shows', () => {
    const file = read('icon.ico')
    const entries = Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
      const at = 6 + 16 * index
      return { size: file[at], bytes: file.readUInt32LE(at + 8), offset: file.readUInt32LE(at + 12) }
    })
    expect(entries.map(({ size }) => size)).toEqual([16, 20, 24, 32, 40, 48, 64, 0])
    for (const { size = 0, offset } of entries.slice(0, -1)) {
      expect(file.readInt32LE(offset + 4)).toBe(size)
      expect(file.readInt32LE(offset + 8)).toBe(size * 2)
    }
    const last = entries.at(-1)
    expect(width(file.subarray(last?.offset))).toBe(256)
    expect((last?.offset ?? 0) + (last?.bytes ?? 0)).toBe(file.length)
  })

  it('are an .icns with complete entries, each with the pixels of its type', () => {
    const file = read('icon.icns')
    expect(file.readUInt32BE(4)).toBe(file.length)
    const found: [string, number][] = []
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
      found.push([file.toString('latin1', at, at + 4), width(file.subarray(at + 8))])
    }
    expect(Object.fromEntries(found)).toEqual({
      ic11: 32,
      ic12: 64,
      ic07: 128,
      ic13: 256,
      ic08: 256,
      ic14: 512,
      ic09: 512,
      ic10: 1024,
    })
  })

  it.each([
    ['tray', 1, 22],
    ['tray', 2, 44],
    ['tray/windows', 1, 16],
    ['tray/windows', 1.5, 24],
    ['tray/windows', 2, 32],
  ])('have %s with every state of the tray at %d x', (folder, scale, size) => {
    const suffix = scale === 1 ? '' : `@${scale}x`
    const counts = ['', ...Array.from({ length: 30 }, (_, index) => `-${String(index + 1)}`)]
    expect(counts.map((count) => width(read(`${folder}/tray${count}${suffix}.png`)))).toEqual(
      counts.map(() => size),
    )
  })

  it('have no other picture', () => {
    expect(readdirSync(join(build, 'icons')).sort()).toEqual(sizes.map((size) => `${size}.png`).sort())
    expect([width(read('tray/trayTemplate.png')), width(read('tray/trayTemplate@2x.png'))]).toEqual([18, 36])
  })
})
