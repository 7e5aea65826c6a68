import { fonts, sizes } from '../../platform/theme'

let context: CanvasRenderingContext2D | null | undefined

/** Returns the width of the widest text in pixels, in the font of an axis or in `font`. */
export function widestText(
  texts: readonly string[],
  font = `${String(sizes.small)}px ${fonts.text}`,
): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = font
  const widths = texts.map((text) => context?.measureText(text).width ?? 0)
  return Math.ceil(Math.max(0, ...widths))
}
