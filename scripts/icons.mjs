// Draws the application's icons into build/ (npm run icons). Needs rsvg-convert (Debian: librsvg2-bin) and a bold sans
// font; the drawings are committed, so that nobody else needs either.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './setup.mjs'

const accent = '#22b8a0'
const around = Array.from({ length: 8 }, (_, index) => index * 45)

/**
 * A ship's wheel around the origin, its handles ending at radius 50.
 *
 * @param {string} color
 * @param {{ rim?: number, spoke?: number, handle?: number }} [strokes] widths; small icons need bolder ones
 */
const wheel = (color, { rim = 8, spoke = 5, handle = 8 } = {}) => `
  <g fill="none" stroke="${color}" stroke-linecap="round">
    <circle r="32" stroke-width="${rim}"/>
    ${around.map((angle) => `<path d="M 0 -14 V -32" stroke-width="${spoke}" stroke-linecap="butt" transform="rotate(${angle})"/>`).join('')}
    ${around.map((angle) => `<path d="M 0 -36 V ${-50 + handle / 2}" stroke-width="${handle}" transform="rotate(${angle})"/>`).join('')}
    <circle r="12" stroke-width="${rim}"/>
  </g>`

/**
 * @param {string} content
 * @param {string} [box]
 */
const svg = (content, box = '-52 -52 104 104') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`

const small = { rim: 10, spoke: 7, handle: 11 }

/** macOS asks for a margin around the tile; the other systems get the same picture. */
const application = svg(
  `<defs><linearGradient id="tile" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#232c36"/><stop offset="1" stop-color="#0e1116"/></linearGradient></defs>
   <rect x="-412" y="-412" width="824" height="824" rx="186" fill="url(#tile)"/>
   <rect x="-409" y="-409" width="818" height="818" rx="183" fill="none" stroke="#ffffff" stroke-opacity="0.08" stroke-width="6"/>
   <g transform="scale(6.5)">${wheel(accent)}</g>`,
  '-512 -512 1024 1024',
)

/** @param {string} count what the badge says */
const counted = (count) =>
  svg(`
  <g transform="translate(-7 -7) scale(0.86)">${wheel(accent, small)}</g>
  <rect x="${count.length > 1 ? -20 : -4}" y="-6" width="${count.length > 1 ? 72 : 56}" height="58" rx="24" fill="#0e1116" stroke="#ffffff" stroke-width="4"/>
  <text x="${count.length > 1 ? 16 : 24}" y="${count.length > 1 ? 38 : 40}" font-family="DejaVu Sans" font-weight="bold" font-size="${count.length > 1 ? 42 : 48}" text-anchor="middle" fill="#ffffff">${count}</text>`)

/**
 * @param {string} source
 * @param {number} size pixels
 * @param {string} file under build/
 */
const draw = (source, size, file) => {
  const target = join(root, 'build', file)
  mkdirSync(dirname(target), { recursive: true })
  const { status, stderr, error } = spawnSync(
    'rsvg-convert',
    ['-w', `${size}`, '-h', `${size}`, '-o', target],
    {
      input: source,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw error ?? new Error(stderr)
}

writeFileSync(join(root, 'build/icon.svg'), application)
draw(application, 1024, 'icon.png')

draw(svg(wheel('#000000', small)), 18, 'tray/trayTemplate.png')
draw(svg(wheel('#000000', small)), 36, 'tray/trayTemplate@2x.png')

const counts = Array.from({ length: 9 }, (_, index) => String(index + 1))
const badges = [
  { name: 'tray', source: svg(wheel(accent, small)) },
  ...counts.map((count) => ({ name: `tray-${count}`, source: counted(count) })),
  { name: 'tray-9plus', source: counted('9+') },
]
for (const { name, source } of badges) {
  draw(source, 22, `tray/${name}.png`)
  draw(source, 44, `tray/${name}@2x.png`)
  draw(source, 16, `tray/windows/${name}.png`)
  draw(source, 24, `tray/windows/${name}@1.5x.png`)
  draw(source, 32, `tray/windows/${name}@2x.png`)
}
