import { fonts, sizes } from '../../platform/theme'
import type { ChartTheme } from '../../components/charts/chart-theme'

interface PictureHead {
  readonly title: string
  /** Distance from the top of the canvas in pixels. */
  readonly top: number
  readonly legend: readonly { readonly name: string; readonly color: string }[]
}

/** A canvas at twice the size of the screen, with its titles. */
export interface Picture {
  readonly title: string
  readonly subtitle: string
  readonly canvas: HTMLCanvasElement
  readonly heads: readonly PictureHead[]
  readonly theme: ChartTheme
}

const ratio = 2
const margin = 16
const line = 20

export async function metricsPicture(picture: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const { palette } = picture.theme
  const [width, height] = [picture.canvas.width / ratio, picture.canvas.height / ratio]
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * margin) * ratio
  canvas.height = (height + 2 * margin + 2 * line + 8) * ratio
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas to draw on')
  context.scale(ratio, ratio)
  context.fillStyle = palette.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'middle'

  const write = (text: string, x: number, y: number, color: string, size: number, weight = 400): number => {
    context.font = `${String(weight)} ${String(size)}px ${fonts.text}`
    context.fillStyle = color
    context.fillText(text, x, y)
    return context.measureText(text).width
  }
  write(picture.title, margin, margin + line / 2, palette.text, sizes.large, 600)
  write(picture.subtitle, margin, margin + line * 1.5, palette.muted, sizes.small)
  const top = margin + 2 * line + 8
  context.drawImage(picture.canvas, margin, top, width, height)
  for (const head of picture.heads) {
    const y = top + head.top + 12
    let x = margin + write(head.title, margin, y, palette.text, sizes.body, 600) + 16
    for (const { name, color } of head.legend) {
      context.fillStyle = color
      context.fillRect(x, y - 4, 8, 8)
      x += 14 + write(name, x + 14, y, palette.muted, sizes.small) + 16
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('the picture could not be made')
  return new Uint8Array(await blob.arrayBuffer())
}
