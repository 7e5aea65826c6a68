import type { Box, TimePanel, TimeRange } from './time-line'
import { tickValues, type Ticks } from './ticks'
import { widestText } from './text-width'

/** Pixels: room above and below the lines of a panel, right of them, and for the times under the last one. */
const above = 10
const below = 8
const right = 8
const timesHeight = 18

/** Where everything of a stack of panels is, in pixels. */
export interface TimeLayout {
  readonly width: number
  readonly height: number
  /** The lines of each panel. */
  readonly boxes: readonly Box[]
  readonly ticks: readonly Ticks[]
}

/** `head`: pixels above each panel that belong to somebody else. `left`: at least so many for the values. Pure but for the width of words. */
export function layOut(
  panels: readonly TimePanel[],
  ticks: readonly Ticks[],
  size: { readonly width: number; readonly height: number; readonly head: number; readonly left: number },
): TimeLayout {
  const labels = panels.flatMap((panel, index) => {
    const own = ticks[index]
    return own ? tickValues(own).map((value) => panel.axisFormat(value)) : []
  })
  const x = Math.max(size.left, widestText(labels) + 12)
  const each = size.head + size.height
  return {
    width: size.width,
    height: panels.length * each + timesHeight,
    ticks,
    boxes: panels.map((_, index) => ({
      x,
      y: index * each + size.head + above,
      width: Math.max(1, size.width - x - right),
      height: Math.max(1, size.height - above - below),
    })),
  }
}

export const xOf = (time: number, { from, to }: TimeRange, { x, width }: Box): number =>
  x + ((time - from) / (to - from)) * width
