// npm run pictures [-- FOLDER]: takes the pictures of README and user guide in both themes
// (test/e2e/guide.spec.ts) and compresses them into docs/guide/pictures. Needs the build (npm run build), and
// convert of ImageMagick.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDesktop } from './desktop-session.mjs'
import { electronEnvironment } from './launch.mjs'
import { collect, runHere } from './processes.mjs'
import { root, runScript, say, setUp } from './setup.mjs'

const taken = join(root, 'test-results/guide-pictures')
const kept = join(root, process.argv[2] ?? 'docs/guide/pictures')
/** Upper bound on the bytes of one picture, so that the repository stays small (scripts/pages.test.ts). */
const most = 150_000

/**
 * @param {string} name
 * @param {number} colors
 */
const shrink = async (name, colors) => {
  const target = join(kept, name)
  const args = [join(taken, name), '-resize', '1200x>', '-strip', '+dither', '-colors', `${colors}`]
  const { code, err } = await collect('convert', [
    ...args,
    '-define',
    'png:compression-level=9',
    `PNG8:${target}`,
  ])
  if (code !== 0) throw new Error(`convert failed: ${err}`)
  return statSync(target).size
}

await runScript(import.meta.url, async () => {
  const program = process.env.ELECTRON_EXEC_PATH ?? (await setUp()).program
  rmSync(taken, { recursive: true, force: true })
  const env = electronEnvironment({ ...process.env, ELECTRON_EXEC_PATH: program })
  const desktop =
    process.platform === 'linux' ? await openDesktop(env) : { env, close: async () => undefined }
  try {
    const playwright = join(root, 'node_modules/@playwright/test/cli.js')
    const args = [playwright, 'test', 'guide', '--grep', 'the pictures of', '--workers=1']
    const code = await runHere(process.execPath, args, { cwd: root, env: desktop.env })
    if (code !== 0 || !existsSync(taken)) return 1
  } finally {
    await desktop.close()
  }
  mkdirSync(kept, { recursive: true })
  for (const file of readdirSync(kept)) if (file.endsWith('.png')) rmSync(join(kept, file))
  /** @type {Record<string, unknown>} */
  const words = {}
  for (const file of readdirSync(taken).sort()) {
    if (file.endsWith('.json'))
      words[file.replace('.json', '')] = JSON.parse(readFileSync(join(taken, file), 'utf8'))
    else if ((await shrink(file, 256)) > most && (await shrink(file, 64)) > most)
      say(`${file} is larger than ${most} bytes`)
  }
  const list = join(kept, 'words.json')
  writeFileSync(list, JSON.stringify(words, null, 2))
  // The formatter may ignore another folder.
  const format = [join(root, 'node_modules/oxfmt/bin/oxfmt'), '--no-error-on-unmatched-pattern', list]
  return runHere(process.execPath, format, { cwd: root })
})
