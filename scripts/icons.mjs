// npm run icons [-- FOLDER]: draws every icon under build/ from build/mark/*.svg, in the project's own
// Electron. The results are committed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDesktop } from './desktop-session.mjs'
import { icns, ico } from './icon-formats.mjs'
import { electronEnvironment, launchArguments } from './launch.mjs'
import { runHere } from './processes.mjs'
import { root, runScript, setUp } from './setup.mjs'

const teal = '#0f7f70'
const white = '#f3fbf8'
/** Has three times the contrast on light and on dark panels. */
const onAnyPanel = '#14a08b'
const badgeColor = '#0b5d52'

/** @param {string} file */
const mark = (file) =>
  readFileSync(join(root, 'build/mark', file), 'utf8')
    .replace(/<!--.*?-->\s*/s, '')
    .replace(/^<svg [^>]*>|<\/svg>\s*$/g, '')

/**
 * @param {string} content
 * @param {string} box
 * @param {string} [color]
 */
const svg = (content, box, color = white) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" color="${color}">${content}</svg>`

/**
 * Returns the application's icon: the mark on a tile. macOS needs a margin; elsewhere the tile fills the
 * picture. Small icons are drawn on the pixels of their size.
 *
 * @param {number} size
 * @param {{ margin?: boolean }} [options]
 */
const tile = (size, { margin = false } = {}) => {
  if (!margin && size < 40) {
    const [grid, from, edge] = size <= 20 ? [16, 0, 16] : size === 22 ? [24, 1, 22] : [24, 0, 24]
    // The handles end a pixel before the tile does.
    const inner = `${from + 1} ${from + 1} ${edge - 2} ${edge - 2}`
    return svg(
      `<rect x="${from}" y="${from}" width="${edge}" height="${edge}" rx="${edge / 5}" fill="${teal}"/>
       <svg x="${from + 1}" y="${from + 1}" width="${edge - 2}" height="${edge - 2}" viewBox="${inner}">${mark(`mark-${grid}.svg`)}</svg>`,
      `${from} ${from} ${edge} ${edge}`,
    )
  }
  const [edge, radius, scale] = margin ? [824, 186, 7.2] : [976, 216, 8.5]
  return svg(
    `<rect x="${-edge / 2}" y="${-edge / 2}" width="${edge}" height="${edge}" rx="${radius}" fill="${teal}"/><g transform="scale(${scale})">${mark('mark.svg')}</g>`,
    '-512 -512 1024 1024',
  )
}

const font = () =>
  readFileSync(
    join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  ).toString('base64')

/**
 * Returns the tray's mark on 16 or 22 pixels, with the number of running machines; '' for none.
 *
 * @param {16 | 22} grid
 * @param {string} count
 * @param {string} [color]
 */
const tray = (grid, count, color = onAnyPanel) => {
  const file = grid === 16 ? 'mark-16.svg' : 'mark-24.svg'
  const box = grid === 16 ? '0 0 16 16' : '1 1 22 22'
  if (count === '') return svg(mark(file), box, color)
  const end = grid === 16 ? 16 : 23
  const height = grid === 16 ? 10 : 12
  const width = count.length > 1 ? height * 1.4 : height
  const rect = (/** @type {number} */ halo, /** @type {string} */ fill) =>
    `<rect x="${end - width - halo}" y="${end - height - halo}" width="${width + halo}" height="${height + halo}" rx="${(height + halo) / 2.6}" fill="${fill}"/>`
  return svg(
    `<style>@font-face{font-family:Inter;src:url(data:font/woff2;base64,${font()});font-weight:100 900}</style>
     <mask id="m"><rect x="-1" y="-1" width="30" height="30" fill="#fff"/>${rect(1, '#000')}</mask>
     <g mask="url(#m)">${mark(file)}</g>${rect(0, badgeColor)}
     <text x="${end - width / 2}" y="${end - height / 2 + height * 0.32}" font-family="Inter" font-weight="750" font-size="${height * 0.88}" text-anchor="middle" fill="#fff">${count}</text>`,
    box,
    color,
  )
}

/** @typedef {{ svg: string, size: number, file?: string, into?: 'ico' | 'icns' }} Job `file` under build/ */

/** @type {readonly Job[]} */
const jobs = [
  { svg: tile(512), size: 512, file: 'icon.png' },
  ...[16, 22, 24, 32, 48, 64, 128, 256, 512, 1024].map((size) => ({
    svg: tile(size),
    size,
    file: `icons/${size}.png`,
  })),
  ...[16, 20, 24, 32, 40, 48, 64, 256].map((size) => ({
    svg: tile(size),
    size,
    into: /** @type {const} */ ('ico'),
  })),
  ...[32, 64, 128, 256, 512, 1024].map((size) => ({
    svg: tile(size, { margin: true }),
    size,
    into: /** @type {const} */ ('icns'),
  })),
  // macOS colours a template itself.
  ...[18, 36].map((size) => ({
    svg: svg(mark('mark-24.svg'), '1 1 22 22', '#000'),
    size,
    file: `tray/trayTemplate${size === 36 ? '@2x' : ''}.png`,
  })),
  // Two digits are the most that is legible on 16 pixels. src/main/desktop/tray-icon.ts has the same highest number.
  ...['', ...Array.from({ length: 30 }, (_, index) => String(index + 1))].flatMap((count) => {
    const name = count === '' ? 'tray' : `tray-${count}`
    return [
      { svg: tray(22, count), size: 22, file: `tray/${name}.png` },
      { svg: tray(22, count), size: 44, file: `tray/${name}@2x.png` },
      { svg: tray(16, count), size: 16, file: `tray/windows/${name}.png` },
      { svg: tray(22, count), size: 24, file: `tray/windows/${name}@1.5x.png` },
      { svg: tray(16, count), size: 32, file: `tray/windows/${name}@2x.png` },
    ]
  }),
]

/** @returns {Promise<readonly import('./icon-formats.mjs').Drawing[]>} in the order of the jobs */
const drawn = async () => {
  const program = process.env.ELECTRON_EXEC_PATH ?? (await setUp()).program
  const launch = await launchArguments(program)
  if ('problem' in launch) throw new Error(launch.problem)
  const env = electronEnvironment(process.env)
  const desktop =
    process.platform === 'linux' ? await openDesktop(env) : { env, close: async () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-icons-'))
  try {
    const file = join(folder, 'jobs.json')
    writeFileSync(
      file,
      JSON.stringify(jobs.map((job) => ({ svg: job.svg, width: job.size, height: job.size }))),
    )
    const code = await runHere(program, [...launch.args, join(root, 'scripts/draw-svg'), file], {
      env: desktop.env,
    })
    if (code !== 0) throw new Error(`Electron ended with ${code}`)
    /** @type {readonly { png: string, rgba: string }[]} */
    const answers = JSON.parse(readFileSync(`${file}.drawn`, 'utf8'))
    return answers.map(({ png, rgba }, index) => ({
      size: jobs[index]?.size ?? 0,
      png: Buffer.from(png, 'base64'),
      rgba: Buffer.from(rgba, 'base64'),
    }))
  } finally {
    rmSync(folder, { recursive: true })
    await desktop.close()
  }
}

/**
 * @param {string} file under build/
 * @param {string | Buffer} content
 */
const write = (file, content) => {
  const target = join(root, process.argv[2] ?? 'build', file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, content)
}

await runScript(import.meta.url, async () => {
  const drawings = await drawn()
  const of = (/** @type {'ico' | 'icns'} */ form) => drawings.filter((_, index) => jobs[index]?.into === form)
  write('icon.svg', tile(512))
  write('icon.ico', ico(of('ico')))
  write('icon.icns', icns(of('icns')))
  jobs.forEach(({ file }, index) => {
    const png = drawings[index]?.png
    if (file && png) write(file, png)
  })
  return 0
})
