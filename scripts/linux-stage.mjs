// The tree of files of every Linux package, with the metadata for the package managers.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from './setup.mjs'

/**
 * @typedef {{ name: string, title: string, summary: string, version: string, architecture: 'x64' | 'arm64' }}
 * Facts `name` of the package, its program and its desktop entry; `title` and `summary` for users
 * @typedef {{ work: string, tree: string, name: string, architecture: 'x64' | 'arm64', epoch: number, spec:
 * string, control: Record<string, { text: string, mode: number }> }} Stage `tree` is the root of the files;
 * `control` are dpkg's own; `epoch` in seconds is the time of every file
 */

const templates = join(root, 'build/linux')

/**
 * Inserts facts into a template. Pure.
 *
 * @param {string} template with names between two @
 * @param {Readonly<Record<string, string | number>>} facts
 */
export const fillIn = (template, facts) =>
  template.replaceAll(/@(\w+)@/g, (whole, /** @type {string} */ name) => String(facts[name] ?? whole))

/**
 * Returns a version as dpkg and rpm sort it: prereleases are older than their release. Pure.
 *
 * @param {string} version
 */
export const packageVersion = (version) => version.replace('-', '~').replaceAll('-', '.')

/** @param {string} file a PNG */
const widthOf = (file) => readFileSync(file).readUInt32BE(16)

/** @returns {{ file: string, size: number }[]} the icons by size, at most 512 as in hicolor */
const icons = () => {
  const folder = join(root, 'build/icons')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^\d+\.png$/.test(file)) : []
  const sized = files.map((file) => ({ file: join(folder, file), size: Number.parseInt(file, 10) }))
  const single = join(root, 'build/icon.png')
  return sized.length > 0
    ? sized.filter(({ size }) => size <= 512)
    : [{ file: single, size: widthOf(single) }]
}

/**
 * Makes files readable for everyone and writable for their owner; programs stay executable.
 *
 * @param {string} folder
 */
const settleModes = (folder) => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) settleModes(path)
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** @param {string} path a file or folder */
const bytesOf = (path) => {
  const entry = lstatSync(path)
  /** @type {number} */
  const inside = entry.isDirectory()
    ? readdirSync(path).reduce((total, name) => total + bytesOf(join(path, name)), 0)
    : entry.size
  return inside
}

/**
 * Returns the parts of an unpacked application, the largest first.
 *
 * @param {string} folder
 * @returns {{ what: string, megabytes: number }[]}
 */
export const sizesOf = (folder) => {
  const ours = join(folder, 'resources')
  const inside = ['app.asar', 'app.asar.unpacked'].map((name) => join(ours, name))
  const notices = ['LICENSES.chromium.html', 'LICENSE.electron.txt'].map((name) => join(folder, name))
  const sum = (/** @type {readonly string[]} */ paths) =>
    paths.filter(existsSync).reduce((total, path) => total + bytesOf(path), 0)
  const parts = [
    { what: 'Electron', bytes: bytesOf(folder) - sum([...notices, ours, join(folder, 'locales')]) },
    { what: 'Chromium’s languages', bytes: sum([join(folder, 'locales')]) },
    { what: 'Licences', bytes: sum(notices) + bytesOf(ours) - sum(inside) },
    { what: 'Wheelhouse', bytes: sum(inside.slice(0, 1)) },
    { what: 'Native modules', bytes: sum(inside.slice(1)) },
  ]
  return parts
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ what, bytes }) => ({ what, megabytes: bytes / 1e6 }))
}

/**
 * @param {Facts & { program: string, work: string, epoch: number }} given `program` is the folder of
 * electron-builder, `work` an empty folder
 * @returns {Promise<Stage>}
 */
export const stagePackage = async ({ program, work, epoch, ...given }) => {
  const { name, version, architecture } = given
  const tree = join(work, 'tree')
  const home = join(tree, 'opt', name)
  const template = (/** @type {string} */ file) => readFileSync(join(templates, file), 'utf8')
  const place = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }

  cpSync(program, home, { recursive: true, verbatimSymlinks: true })
  place(`usr/share/applications/${name}.desktop`, fillIn(template('app.desktop'), given))
  place(`opt/${name}/resources/apparmor-profile`, fillIn(template('apparmor-profile'), given))
  place(
    `usr/share/doc/${name}/copyright`,
    `${readFileSync(join(root, 'LICENSE'), 'utf8')}
Third-party software: /opt/${name}/resources/THIRD-PARTY-NOTICES.txt,
/opt/${name}/LICENSE.electron.txt and /opt/${name}/LICENSES.chromium.html
`,
  )
  for (const { file, size } of icons()) {
    const icon = join(tree, `usr/share/icons/hicolor/${size}x${size}/apps/${name}.png`)
    mkdirSync(dirname(icon), { recursive: true })
    cpSync(file, icon)
  }
  settleModes(tree)
  // If user namespaces are refused, this helper sets up Chromium's sandbox, and must belong to root.
  chmodSync(join(home, 'chrome-sandbox'), 0o4755)
  mkdirSync(join(tree, 'usr/bin'))
  symlinkSync(`/opt/${name}/${basename(home)}`, join(tree, 'usr/bin', name))

  const facts = {
    ...given,
    version: packageVersion(version),
    debArchitecture: architecture === 'x64' ? 'amd64' : 'arm64',
    installedKilobytes: Math.ceil(bytesOf(tree) / 1024),
  }
  const script = (/** @type {string} */ file) => ({ text: fillIn(template(file), facts), mode: 0o755 })
  return {
    work,
    tree,
    name,
    architecture,
    epoch,
    spec: fillIn(template('package.spec'), facts),
    control: {
      control: { ...script('control'), mode: 0o644 },
      postinst: script('postinst'),
      postrm: script('postrm'),
    },
  }
}
