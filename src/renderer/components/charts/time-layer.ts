import { type EChartsType, graphic } from 'echarts/core'
import { fonts, sizes } from '../../platform/theme'
import { type ChartTheme } from './chart-theme'
import { lineColor, linePoints, type TimePanel, type TimeRange } from './time-line'
import { type TimeLayout, xOf } from './time-layout'
import { tickValues } from './ticks'
import { tickText, timeTicks } from './time-ticks'

/** A line through flat points (x, y, x, y, …), interrupted where a y is NaN; a point alone is a short stroke. */
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
      const alone = !pen && Number.isNaN(points[at + 3] ?? Number.NaN)
      if (pen) path.lineTo(x, y)
      else path.moveTo(alone ? x - 2 : x, y)
      if (alone) path.lineTo(x + 2, y)
      pen = true
    }
  },
})

type Group = InstanceType<typeof graphic.Group>

/** echarts' own types do not hold under exactOptionalPropertyTypes: no shape would fit into a group. */
const addTo = (group: Group, element: object): void => void Reflect.apply(group.add, group, [element])

/** A word at an axis. */
const wordAt = (text: string, x: number, y: number, { palette }: ChartTheme, place: object) =>
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

/** A thin straight line, in the middle of its pixels. */
const ruleAt = (x1: number, y1: number, x2: number, y2: number, { palette }: ChartTheme) =>
  new graphic.Line({
    silent: true,
    shape: { x1, y1, x2, y2 },
    style: { stroke: palette.line, lineWidth: 1 },
  })
const crisp = (pixel: number): number => Math.round(pixel) + 0.5

/** Pixels: half of the widest word under an axis; and what words are apart at least. */
const halfWord = 28
const wordDistance = 88

/**
 * Everything that a chart over time draws, as shapes of echarts' own drawing engine: rules and words of the axes, and
 * the lines. As components and series of echarts they would cost several times as much (docs/charts.md).
 */
export function createTimeLayer(chart: EChartsType) {
  // Without any option a chart cannot be saved as a picture.
  chart.setOption({})
  const group = new graphic.Group({ silent: true })
  chart.getZr().add(group)

  function drawValues(panels: readonly TimePanel[], { boxes, ticks }: TimeLayout, theme: ChartTheme): void {
    panels.forEach(({ axisFormat }, index) => {
      const box = boxes[index]
      const own = ticks[index]
      if (!box || !own) return
      const bottom = box.y + box.height
      for (const value of tickValues(own)) {
        const y = bottom - ((value - own.min) / (own.max - own.min)) * box.height
        addTo(group, ruleAt(box.x, crisp(y), box.x + box.width, crisp(y), theme))
        addTo(
          group,
          wordAt(axisFormat(value), box.x - 8, y, theme, { align: 'right', verticalAlign: 'middle' }),
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
    for (const tick of timeTicks(range.from, range.to, Math.floor(last.width / wordDistance))) {
      const x = crisp(xOf(tick.at, range, last))
      for (const { y, height } of boxes) addTo(group, ruleAt(x, y + height, x, y + height + 4, theme))
      // A word that would leave the picture is left out.
      if (x + halfWord > last.x + last.width + 8) continue
      addTo(group, wordAt(tickText(tick), x, last.y + last.height + 8, theme, { align: 'center' }))
    }
  }
  return {
    /** Draws at once, without waiting for a frame. */
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
