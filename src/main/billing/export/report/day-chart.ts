import { html, type Html, none } from './html'

/** What was spent on each day, in millionths, and how each day is called below its bar. */
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

/** Bars per day as SVG: what is estimated stands, hatched, on what was charged. `amount` writes what the axis says. */
export function dayChart(days: DayBars, label: string, amount: (millionths: number) => string): Html {
  const sums = days.labels.map((_, day) => (days.charged[day] ?? 0) + (days.estimated[day] ?? 0))
  const step = niceStep(Math.max(1, ...sums))
  const top = Math.max(step, Math.ceil(Math.max(0, ...sums) / step) * step)
  const plot = {
    width: size.width - size.left - size.right,
    height: size.height - size.top - size.bottom,
    base: size.height - size.bottom,
  }
  const y = (value: number): number => round(plot.base - (value / top) * plot.height)
  const band = plot.width / Math.max(1, days.labels.length)
  const x = (day: number): number => round(size.left + band * (day + 0.15))
  const wide = round(band * 0.7)
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  // Every fifth day has room for its name.
  const named = (day: number): boolean => day === 0 || (day + 1) % 5 === 0
  const bar = (day: number, from: number, value: number, fill: string): Html =>
    value <= 0
      ? none
      : html`<rect
          x="${x(day)}"
          y="${y(from + value)}"
          width="${wide}"
          height="${round(y(from) - y(from + value))}"
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
    ${days.labels.map(
      (name, day) =>
        html`${bar(day, 0, days.charged[day] ?? 0, '#0a7465')}${bar(
          day,
          days.charged[day] ?? 0,
          days.estimated[day] ?? 0,
          'url(#estimated)',
        )}${
          named(day)
            ? html`<text x="${round(x(day) + wide / 2)}" y="${size.height - 5}" text-anchor="middle"
                >${name}</text
              >`
            : none
        }`,
    )}
  </svg>`
}
