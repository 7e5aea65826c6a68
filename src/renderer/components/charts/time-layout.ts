import type { Box, TimePanel, TimeRange } from './time-line'
import { tickValues, type Ticks } from './ticks'
import { widestText } from './text-width'

/** Margins of the lines of a panel, and the height of the time axis, in pixels. */
const above = 10
const below = 8
const right = 8
const timesHeight = 18

export interface TimeLayout {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly ticks: readonly Ticks[]
}

/** Stacks the panels. `size.head`: pixels above each panel for its head; `size.left`: least width of the value axis. */
export function layOut(
  panels: readonly TimePanel[],
  ticks: readonly Ticks[],
  size: { readonly width: number; readonly height: number; readonly head: number; readonly left: number },
): TimeLayout {
  const labels = panels.flatMap((panel, index) => {
    const axis = ticks[index]
    return axis ? tickValues(axis).map((value) => panel.axisFormat(value)) : []
  })
  const x = Math.max(size.left, widestText(labels) + 12)
  const pitch = size.head + size.height
  return {
    width: size.width,
    height: panels.length * pitch + timesHeight,
    ticks,
    boxes: panels.map((_, index) => ({
      x,
      y: index * pitch + size.head + above,
      width: Math.max(1, size.width - x - right),
      height: Math.max(1, size.height - above - below),
    })),
  }
}

export const xOf = (time: number, { from, to }: TimeRange, { x, width }: Box): number =>
  x + ((time - from) / (to - from)) * width
