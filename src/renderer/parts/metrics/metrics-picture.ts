import { fonts, sizes } from '../../app/theme'
import type { ChartTheme } from '../charts/chart-theme'

/** One chart of the picture with what stands above it. */
export interface PicturePart {
  readonly title: string
  readonly canvas: HTMLCanvasElement
  readonly legend: readonly { readonly name: string; readonly color: string }[]
}

const ratio = 2
const margin = 16
const line = 20

/** The charts below each other, with titles and legends, as a PNG at twice the size of the screen. */
export async function metricsPicture(
  title: string,
  subtitle: string,
  parts: readonly PicturePart[],
  { palette }: ChartTheme,
): Promise<Uint8Array<ArrayBuffer>> {
  const width = Math.max(...parts.map(({ canvas }) => canvas.width / ratio)) + 2 * margin
  const heights = parts.map(({ canvas }) => line + canvas.height / ratio + 12)
  const canvas = document.createElement('canvas')
  canvas.width = width * ratio
  canvas.height = (heights.reduce((sum, height) => sum + height, 0) + 2 * margin + 2 * line) * ratio
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas to draw on')
  context.scale(ratio, ratio)
  context.fillStyle = palette.surface
  context.fillRect(0, 0, width, canvas.height)
  context.textBaseline = 'middle'

  const write = (text: string, x: number, y: number, color: string, size: number, weight = 400): number => {
    context.font = `${String(weight)} ${String(size)}px ${fonts.text}`
    context.fillStyle = color
    context.fillText(text, x, y)
    return context.measureText(text).width
  }
  let top = margin
  write(title, margin, top + line / 2, palette.text, sizes.large, 600)
  write(subtitle, margin, top + line * 1.5, palette.muted, sizes.small)
  top += 2 * line + 4
  parts.forEach((part, index) => {
    let x = margin + write(part.title, margin, top + line / 2, palette.text, sizes.body, 600) + 16
    for (const { name, color } of part.legend) {
      context.fillStyle = color
      context.fillRect(x, top + line / 2 - 4, 8, 8)
      x += 14 + write(name, x + 14, top + line / 2, palette.muted, sizes.small) + 16
    }
    context.drawImage(part.canvas, margin, top + line, part.canvas.width / ratio, part.canvas.height / ratio)
    top += heights[index] ?? 0
  })
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('the picture could not be made')
  return new Uint8Array(await blob.arrayBuffer())
}
