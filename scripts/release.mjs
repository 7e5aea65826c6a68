// The steps of the release workflow (.github/workflows/release.yml), each as `node scripts/release.mjs STEP`.
// check      the version of package.json matches the tag and has an entry in CHANGELOG.md.
// package    this system's packages into dist/release, with verified signatures if they are signed.
// sbom       dist/release/sbom.spdx.json: every package inside the application.
// feeds      dist/release/latest-mac.yml from the feeds of both architectures.
// checksums  dist/release/SHA256SUMS
// draft      a draft release of GitHub with all of these (needs gh)
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect, npm, runHere } from './processes.mjs'
import { root, runScript, say } from './setup.mjs'

const dist = join(root, 'dist')
const release = join(dist, 'release')
const sums = 'SHA256SUMS'
/** Files of a release: packages, and the feeds and block maps that the updater reads (docs/updates.md). */
const published =
  /(?:\.(?:dmg|zip|exe|AppImage|deb|rpm|tar\.gz|blockmap)|^latest(?:-mac|-linux(?:-arm64)?)?\.yml)$/

/**
 * Returns the entry of a version: from its heading to the next. Pure.
 *
 * @param {string} changelog
 * @param {string} version
 */
export const changesOf = (changelog, version) => {
  const entries = changelog.split(/^## /m).slice(1)
  const entry = entries.find((text) => text.split('\n')[0]?.trim() === version)
  return entry?.split('\n').slice(1).join('\n').trim()
}

/** The feed of macOS with both architectures, each from its own runner. */
const macFeed = 'latest-mac.yml'

/**
 * Merges feeds into one: the first feed, with the files of all. Pure.
 *
 * @param {readonly string[]} feeds as electron-builder writes them
 */
export const mergedFeed = (feeds) => {
  const list = /^files:\n((?: .*\n)+)/m
  const files = feeds.map((feed) => list.exec(feed)?.[1])
  if (files.length === 0 || files.includes(undefined)) throw new Error('a feed names no files')
  return (feeds[0] ?? '').replace(list, () => `files:\n${files.join('')}`)
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

/**
 * Returns the environment for signing and notarising, from the workflow's secrets. Unset secrets are empty
 * there, which electron-builder would read as a certificate; it needs the notarisation key in a file. Pure.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {(key: string) => string} writeKey writes to a file and returns its path
 * @returns {NodeJS.ProcessEnv}
 */
export const signingEnvironment = (env, writeKey) => {
  const given = Object.entries(env).filter(
    ([name, value]) => value !== '' || !/^(?:CSC|WIN_CSC|APPLE)_/.test(name),
  )
  const { APPLE_API_KEY: key, ...others } = Object.fromEntries(given)
  if (key === undefined) return others
  return { ...others, APPLE_API_KEY: key.includes('PRIVATE KEY') ? writeKey(key) : key }
}

/**
 * Returns the commands that fail for a bad signature; none without a certificate. Pure.
 *
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env of electron-builder
 * @param {readonly string[]} programs applications of macOS, or programs and installers of Windows
 * @returns {readonly (readonly [string, ...string[]])[]}
 */
export const signatureChecks = (platform, env, programs) => {
  /** @type {(app: string) => readonly (readonly [string, ...string[]])[]} */
  const notarised = (app) => [
    ['xcrun', 'stapler', 'validate', app],
    ['spctl', '--assess', '--type', 'execute', app],
  ]
  /** @type {(app: string) => readonly (readonly [string, ...string[]])[]} */
  const onMac = (app) => [
    ['codesign', '--verify', '--deep', '--strict', app],
    ...(env.APPLE_API_KEY ? notarised(app) : []),
  ]
  /** @type {(file: string) => readonly [string, ...string[]]} */
  const onWindows = (file) => {
    const status = `(Get-AuthenticodeSignature -LiteralPath '${file.replaceAll("'", "''")}').Status`
    return ['powershell', '-NoProfile', '-Command', `if (${status} -ne 'Valid') { exit 1 }`]
  }
  if (platform === 'darwin' && env.CSC_LINK) return programs.flatMap(onMac)
  return platform === 'win32' && env.WIN_CSC_LINK ? programs.map(onWindows) : []
}

/** Returns the signed files that electron-builder leaves in dist. */
const signedPrograms = () =>
  readdirSync(dist).flatMap((entry) => {
    if (/^mac(?:-arm64)?$/.test(entry)) return [join(dist, entry, 'Wheelhouse.app')]
    if (entry === 'win-unpacked') return [join(dist, entry, 'Wheelhouse.exe')]
    return entry.endsWith('.exe') ? [join(dist, entry)] : []
  })

/** @param {NodeJS.ProcessEnv} env */
const packagesWith = async (env) => {
  const script = join(root, 'scripts/package.mjs')
  const { platform } = process
  const targets = platform === 'darwin' ? ['--mac'] : platform === 'win32' ? ['--win'] : []
  const code = await runHere(process.execPath, [script, ...targets], { cwd: root, env })
  if (code !== 0) return code
  if (platform === 'linux') {
    const linux = await runHere(process.execPath, [join(root, 'scripts/linux-packages.mjs')], {
      cwd: root,
      env,
    })
    if (linux !== 0) return linux
    const appImage = await runHere(process.execPath, [script, '--linux', 'AppImage'], { cwd: root, env })
    if (appImage !== 0) return appImage
  }
  for (const [program, ...args] of signatureChecks(platform, env, signedPrograms())) {
    const checked = await runHere(program, args, { cwd: root })
    if (checked !== 0) throw new Error(`the signature is not valid: ${program} ${args.join(' ')}`)
  }
  mkdirSync(release, { recursive: true })
  const made = readdirSync(dist).filter((file) => published.test(file))
  if (made.length === 0) throw new Error(`${dist} has no package`)
  for (const file of made)
    copyFileSync(join(dist, file), join(release, file === macFeed ? `latest-mac-${process.arch}.yml` : file))
  return 0
}

const packages = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-signing-'))
  try {
    return await packagesWith(
      signingEnvironment(process.env, (key) => {
        const file = join(folder, 'AuthKey.p8')
        writeFileSync(file, key, { mode: 0o600 })
        return file
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Everything is bundled, so all dependencies count, except optional dependencies that this system lacks. */
const sbom = async () => {
  const { code, out, err } = await runNpm(['sbom', '--sbom-format=spdx', '--sbom-type=application'])
  if (code !== 0) throw new Error(`npm sbom failed: ${err}`)
  mkdirSync(release, { recursive: true })
  writeFileSync(join(release, 'sbom.spdx.json'), out)
  return 0
}

/** Before the checksums: the feeds of the macOS runners, once they all exist. */
const feeds = () => {
  const own = readdirSync(release).filter((file) => /^latest-mac-\w+\.yml$/.test(file))
  const merged = mergedFeed(own.map((file) => readFileSync(join(release, file), 'utf8')))
  for (const file of own) rmSync(join(release, file))
  writeFileSync(join(release, macFeed), merged)
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

const steps = new Map(Object.entries({ check, package: packages, sbom, feeds, checksums, draft }))

await runScript(import.meta.url, async () => {
  const step = steps.get(process.argv[2] ?? '')
  if (!step) throw new Error(`which step? ${[...steps.keys()].join(', ')}`)
  return step()
})
