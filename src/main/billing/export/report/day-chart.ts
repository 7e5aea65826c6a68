import { html, type Html, none } from './html'

/** Amounts of each day in millionths, below zero for refunds, and the label below each bar. */
export interface DayBars {
  readonly labels: readonly string[]
  readonly charged: readonly number[]
  readonly estimated: readonly number[]
}

/** A drawing's units, which the page scales to its own width. */
const size = { width: 700, height: 140, left: 52, right: 4, top: 8, bottom: 20 }

/** The smallest of 1, 2 and 5 times a power of ten that reaches `highest` in at most four steps. */
export function niceStep(highest: number): number {
  const least = highest / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Draws bars per day as SVG: the estimate, hatched, continues the charges. Amounts below zero go down from the zero line.
 * `amount` formats the labels of the axis.
 */
export function dayChart(days: DayBars, label: string, amount: (millionths: number) => string): Html {
  const partsOf = (day: number) => [days.charged[day] ?? 0, days.estimated[day] ?? 0] as const
  const sumOf = (day: number, bound: (value: number) => number): number =>
    partsOf(day).reduce((sum, value) => sum + bound(value), 0)
  const above = days.labels.map((_, day) => sumOf(day, (value) => Math.max(0, value)))
  const below = days.labels.map((_, day) => sumOf(day, (value) => Math.min(0, value)))
  const highest = Math.max(0, ...above)
  const lowest = Math.min(0, ...below)
  const step = niceStep(Math.max(1, highest - lowest))
  const bottom = Math.floor(lowest / step) * step
  const top = Math.max(bottom + step, Math.ceil(highest / step) * step)
  const plot = {
    width: size.width - size.left - size.right,
    height: size.height - size.top - size.bottom,
    base: size.height - size.bottom,
  }
  const y = (value: number): number => round(plot.base - ((value - bottom) / (top - bottom)) * plot.height)
  const band = plot.width / Math.max(1, days.labels.length)
  const x = (day: number): number => round(size.left + band * (day + 0.15))
  const wide = round(band * 0.7)
  const lines = Array.from(
    { length: Math.round((top - bottom) / step) + 1 },
    (_, index) => bottom + index * step,
  )
  // Every fifth day has room for its name.
  const named = (day: number): boolean => day === 0 || (day + 1) % 5 === 0
  const bar = (day: number, from: number, value: number, fill: string): Html =>
    value === 0
      ? none
      : html`<rect
          x="${x(day)}"
          y="${y(Math.max(from, from + value))}"
          width="${wide}"
          height="${round(Math.abs(y(from) - y(from + value)))}"
          fill="${fill}"
        />`
  return html`<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${label}">
    <defs>
      <pattern
        id="estimated"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="4" height="4" fill="#d7ece8" />
        <rect width="2" height="4" fill="#5fa79a" />
      </pattern>
    </defs>
    ${lines.map(
      (value) =>
        html`<line
            x1="${size.left}"
            x2="${size.width - size.right}"
            y1="${y(value)}"
            y2="${y(value)}"
            stroke="#dfe3e8"
          />
          <text x="${size.left - 6}" y="${y(value) + 3}" text-anchor="end">${amount(value)}</text>`,
    )}
    ${days.labels.map((name, day) => {
      const [charged, estimated] = partsOf(day)
      // Parts of opposite signs both begin at zero.
      const start = Math.sign(charged) === Math.sign(estimated) ? charged : 0
      return html`${bar(day, 0, charged, '#0a7465')}${bar(day, start, estimated, 'url(#estimated)')}${
        named(day)
          ? html`<text x="${round(x(day) + wide / 2)}" y="${size.height - 5}" text-anchor="middle"
              >${name}</text
            >`
          : none
      }`
    })}
  </svg>`
}
