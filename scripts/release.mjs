// What the release workflow does (.github/workflows/release.yml), each step as `node scripts/release.mjs STEP`:
//   check      the version of package.json is that of the tag and has its entry in CHANGELOG.md
//   package    this system's packages into dist/release
//   sbom       dist/release/sbom.spdx.json: every package that is built into the application
//   checksums  dist/release/SHA256SUMS
//   draft      a draft release of GitHub with all of it (needs gh)
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collect, npm, runHere } from './processes.mjs'
import { root, runScript, say } from './setup.mjs'

const dist = join(root, 'dist')
const release = join(dist, 'release')
const sums = 'SHA256SUMS'
/** What a release consists of, and what an updater reads. */
const published = /\.(?:dmg|zip|exe|AppImage|deb|rpm|tar\.gz|blockmap|yml)$/
const notPublished = /^builder-/

/**
 * The entry of a version: from its heading to the next. Pure.
 *
 * @param {string} changelog
 * @param {string} version
 */
export const changesOf = (changelog, version) => {
  const entries = changelog.split(/^## /m).slice(1)
  const entry = entries.find((text) => text.split('\n')[0]?.trim() === version)
  return entry?.split('\n').slice(1).join('\n').trim()
}

const version = () => {
  /** @type {{ version: string }} */
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return current
}

/** @param {readonly string[]} args of npm */
const runNpm = async (args) => {
  const { program, args: all, shell } = npm(args)
  return collect(program, all, { cwd: root, shell, seconds: 300 })
}

const check = () => {
  const tag = process.env.GITHUB_REF_NAME
  const current = version()
  if (tag !== undefined && tag !== `v${current}`)
    throw new Error(`the tag is ${tag}, package.json says ${current}`)
  if (!changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), current))
    throw new Error(`CHANGELOG.md has nothing about ${current}`)
  say(`${current} can be released`)
  return 0
}

const packages = async () => {
  const script = join(root, 'scripts/package.mjs')
  const { platform } = process
  const targets = platform === 'darwin' ? ['--mac'] : platform === 'win32' ? ['--win'] : []
  const code = await runHere(process.execPath, [script, ...targets], { cwd: root })
  if (code !== 0) return code
  if (platform === 'linux') {
    const linux = await runHere(process.execPath, [join(root, 'scripts/linux-packages.mjs')], { cwd: root })
    if (linux !== 0) return linux
    const appImage = await runHere(process.execPath, [script, '--linux', 'AppImage'], { cwd: root })
    if (appImage !== 0) return appImage
  }
  mkdirSync(release, { recursive: true })
  const made = readdirSync(dist).filter((file) => published.test(file) && !notPublished.test(file))
  if (made.length === 0) throw new Error(`${dist} has no package`)
  for (const file of made) copyFileSync(join(dist, file), join(release, file))
  return 0
}

/** Everything is bundled, so all dependencies count but the optional ones that this system has not. */
const sbom = async () => {
  const { code, out, err } = await runNpm(['sbom', '--sbom-format=spdx', '--sbom-type=application'])
  if (code !== 0) throw new Error(`npm sbom failed: ${err}`)
  mkdirSync(release, { recursive: true })
  writeFileSync(join(release, 'sbom.spdx.json'), out)
  return 0
}

const checksums = () => {
  if (!existsSync(release)) throw new Error(`${release} is not there`)
  const lines = readdirSync(release)
    .filter((file) => file !== sums)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(release, file)))
          .digest('hex')}  ${file}`,
    )
  writeFileSync(join(release, sums), `${lines.join('\n')}\n`)
  return 0
}

const draft = async () => {
  const current = version()
  const notes = join(dist, 'notes.md')
  writeFileSync(notes, changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), current) ?? '')
  const files = readdirSync(release).map((file) => join(release, file))
  const args = ['release', 'create', `v${current}`, '--draft', '--verify-tag', '--notes-file', notes]
  return runHere('gh', [...args, '--title', `Wheelhouse ${current}`, ...files], { cwd: root })
}

const steps = new Map(Object.entries({ check, package: packages, sbom, checksums, draft }))

await runScript(import.meta.url, async () => {
  const step = steps.get(process.argv[2] ?? '')
  if (!step) throw new Error(`which step? ${[...steps.keys()].join(', ')}`)
  return step()
})
