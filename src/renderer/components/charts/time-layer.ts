import { type EChartsType, graphic } from 'echarts/core'
import { fonts, sizes } from '../../platform/theme'
import { type ChartTheme } from './chart-theme'
import { lineColor, linePoints, type TimePanel, type TimeRange } from './time-line'
import { type TimeLayout, xOf } from './time-layout'
import { tickValues } from './ticks'
import { tickText, timeTicks } from './time-ticks'

/** A line through flat points (x, y, x, y, …). A NaN is a gap; a point between two gaps is a short stroke. */
const LineShape = graphic.extendShape({
  type: 'time-line',
  shape: { points: new Float64Array() },
  buildPath(path, shape) {
    const points: unknown = shape.points
    if (!(points instanceof Float64Array)) return
    let pen = false
    for (let at = 0; at < points.length; at += 2) {
      const x = points[at] ?? 0
      const y = points[at + 1] ?? Number.NaN
      if (Number.isNaN(y)) {
        pen = false
        continue
      }
      const isSingle = !pen && Number.isNaN(points[at + 3] ?? Number.NaN)
      if (pen) path.lineTo(x, y)
      else path.moveTo(isSingle ? x - 2 : x, y)
      if (isSingle) path.lineTo(x + 2, y)
      pen = true
    }
  },
})

type Group = InstanceType<typeof graphic.Group>

/** Adds a shape to a group; echarts' own types reject it under exactOptionalPropertyTypes. */
const addTo = (group: Group, element: object): void => void Reflect.apply(group.add, group, [element])

const labelAt = (text: string, x: number, y: number, { palette }: ChartTheme, place: object) =>
  new graphic.Text({
    silent: true,
    style: {
      text,
      x,
      y,
      ...place,
      fill: palette.muted,
      fontFamily: fonts.text,
      fontSize: sizes.small,
    },
  })

const ruleAt = (x1: number, y1: number, x2: number, y2: number, { palette }: ChartTheme) =>
  new graphic.Line({
    silent: true,
    shape: { x1, y1, x2, y2 },
    style: { stroke: palette.line, lineWidth: 1 },
  })
/** Returns the middle of a pixel, so that a thin line is sharp. */
const crisp = (pixel: number): number => Math.round(pixel) + 0.5

/** Half of the widest label of the time axis, in pixels. */
const halfLabel = 28
/** Smallest distance between two labels, in pixels. */
const labelDistance = 88

/**
 * Draws axes and lines of a chart over time as shapes of echarts' drawing engine. Components and series of echarts
 * take several times as long (docs/charts.md).
 */
export function createTimeLayer(chart: EChartsType) {
  // A chart without an option cannot be saved as a picture.
  chart.setOption({})
  const group = new graphic.Group({ silent: true })
  chart.getZr().add(group)

  function drawValues(panels: readonly TimePanel[], { boxes, ticks }: TimeLayout, theme: ChartTheme): void {
    panels.forEach(({ axisFormat }, index) => {
      const box = boxes[index]
      const axis = ticks[index]
      if (!box || !axis) return
      const bottom = box.y + box.height
      for (const value of tickValues(axis)) {
        const y = bottom - ((value - axis.min) / (axis.max - axis.min)) * box.height
        addTo(group, ruleAt(box.x, crisp(y), box.x + box.width, crisp(y), theme))
        addTo(
          group,
          labelAt(axisFormat(value), box.x - 8, y, theme, { align: 'right', verticalAlign: 'middle' }),
        )
      }
    })
  }
  function drawLines(
    panels: readonly TimePanel[],
    range: TimeRange,
    layout: TimeLayout,
    theme: ChartTheme,
  ): void {
    panels.forEach((panel, index) => {
      const box = layout.boxes[index]
      const ticks = layout.ticks[index]
      if (!box || !ticks) return
      const clipped = new graphic.Group({ silent: true })
      clipped.setClipPath(new graphic.Rect({ shape: { ...box, y: box.y - 2, height: box.height + 4 } }))
      panel.lines.forEach((line, at) => {
        addTo(
          clipped,
          new LineShape({
            silent: true,
            z: 3,
            shape: { points: linePoints(line, range, ticks, box) },
            style: {
              fill: 'none',
              stroke: lineColor(theme, line, at),
              lineWidth: 1.25,
              lineJoin: 'round',
              lineDash: line.dashed ? [4, 3] : false,
            },
          }),
        )
      })
      addTo(group, clipped)
    })
  }
  function drawTimes(range: TimeRange, { boxes }: TimeLayout, theme: ChartTheme): void {
    const last = boxes.at(-1)
    if (!last) return
    for (const tick of timeTicks(range.from, range.to, Math.floor(last.width / labelDistance))) {
      const x = crisp(xOf(tick.at, range, last))
      for (const { y, height } of boxes) addTo(group, ruleAt(x, y + height, x, y + height + 4, theme))
      // Skips a label that would be cut at the edge.
      if (x + halfLabel > last.x + last.width + 8) continue
      addTo(group, labelAt(tickText(tick), x, last.y + last.height + 8, theme, { align: 'center' }))
    }
  }
  return {
    /** Draws synchronously, without waiting for a frame. */
    draw(panels: readonly TimePanel[], range: TimeRange, layout: TimeLayout, theme: ChartTheme): void {
      const { width, height } = layout
      if (chart.getWidth() !== width || chart.getHeight() !== height) chart.resize({ width, height })
      group.removeAll()
      drawValues(panels, layout, theme)
      drawTimes(range, layout, theme)
      drawLines(panels, range, layout, theme)
      chart.getZr().flush()
    },
  }
}
export type TimeLayer = ReturnType<typeof createTimeLayer>
