import { type EChartsType, graphic } from 'echarts/core'
import { fonts, sizes } from '../../app/theme'
import { type ChartTheme } from './chart-theme'
import { lineColor, linePoints, type TimePanel, type TimeRange } from './time-line'
import { type TimeLayout, xOf } from './time-layout'
import { tickWords, timeTicks } from './time-ticks'

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

/** Pixels: half of the widest word under an axis; and what words are apart at least. */
const halfWord = 28
const wordDistance = 88

/**
 * What moves with the time: lines and the words under the last panel, as shapes of echarts' own drawing engine. A
 * step of the zoom redraws them alone; as data of series they would cost several times as much (docs/charts.md).
 */
export function createTimeLayer(chart: EChartsType) {
  const group = new graphic.Group({ silent: true })
  chart.getZr().add(group)

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
  function drawTimes(range: TimeRange, { boxes }: TimeLayout, { palette }: ChartTheme): void {
    const last = boxes.at(-1)
    if (!last) return
    for (const tick of timeTicks(range.from, range.to, Math.floor(last.width / wordDistance))) {
      const x = Math.round(xOf(tick.at, range, last)) + 0.5
      for (const { y, height } of boxes) {
        const bottom = y + height
        const shape = { x1: x, y1: bottom, x2: x, y2: bottom + 4 }
        addTo(group, new graphic.Line({ silent: true, shape, style: { stroke: palette.line } }))
      }
      // A word that would leave the picture is left out.
      if (x + halfWord > last.x + last.width + 8) continue
      const words = new graphic.Text({
        silent: true,
        style: {
          text: tickWords(tick),
          x,
          y: last.y + last.height + 8,
          align: 'center',
          fill: palette.muted,
          fontFamily: fonts.text,
          fontSize: sizes.small,
        },
      })
      addTo(group, words)
    }
  }
  return {
    /** Draws with the next flush of the chart. */
    draw(panels: readonly TimePanel[], range: TimeRange, layout: TimeLayout, theme: ChartTheme): void {
      group.removeAll()
      drawTimes(range, layout, theme)
      drawLines(panels, range, layout, theme)
    },
  }
}
export type TimeLayer = ReturnType<typeof createTimeLayer>
