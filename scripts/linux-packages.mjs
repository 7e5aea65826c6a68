// Builds the deb, the rpm and the tar.gz from the folder of scripts/package.mjs, for tests and releases.
// node scripts/linux-packages.mjs [--test-build] [--fast] [--version VERSION] [deb] [rpm] [tar.gz]
// Needs dpkg-deb, rpmbuild (Debian's package rpm) and tar for the requested formats; builds all three by
// default.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sizesOf, stagePackage } from './linux-stage.mjs'
import { collect } from './processes.mjs'
import { testBuildName } from './refuse-registry-runtime.mjs'
import { root, runScript } from './setup.mjs'

/** @typedef {'deb' | 'rpm' | 'tar.gz'} Format */
/** @typedef {import('./linux-stage.mjs').Stage} Stage */

/** @type {readonly Format[]} */
const formats = ['deb', 'rpm', 'tar.gz']

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
const run = async (program, args, env = {}) => {
  // Compressing for a release takes minutes, and many on a busy computer.
  const { code, out, err } = await collect(program, args, { seconds: 3_600, env: { ...process.env, ...env } })
  if (code !== 0) throw new Error(`${program} failed (${code}): ${err.trim() || out.trim()}`)
}

/**
 * `fast` compresses less, for tests, which install a package once.
 *
 * @type {Record<Format, (stage: Stage, file: string, fast: boolean) => Promise<void>>}
 */
const builders = {
  deb: async ({ tree, control, epoch }, file, fast) => {
    const compression = fast ? ['-Zgzip', '-z1'] : ['-Zxz']
    const folder = join(tree, 'DEBIAN')
    mkdirSync(folder)
    for (const [name, { text, mode }] of Object.entries(control))
      writeFileSync(join(folder, name), text, { mode })
    try {
      await run('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
        SOURCE_DATE_EPOCH: String(epoch),
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },

  rpm: async ({ work, tree, spec, architecture, epoch }, file, fast) => {
    // rpmbuild accepts no space, quote or percent sign in a path, which a checkout may have: it gets links to
    // the folders.
    const links = mkdtempSync(join(tmpdir(), 'wheelhouse-rpm-'))
    mkdirSync(join(work, 'rpm'))
    symlinkSync(join(work, 'rpm'), join(links, 'top'))
    symlinkSync(tree, join(links, 'stage'))
    const specFile = join(links, 'package.spec')
    writeFileSync(specFile, spec.replaceAll('@stage@', join(links, 'stage')))
    const defines = {
      _topdir: join(links, 'top'),
      _rpmdir: join(links, 'top/out'),
      _rpmfilename: 'package.rpm',
      _binary_payload: fast ? 'w1.gzdio' : 'w6.xzdio',
      _buildhost: 'localhost',
      use_source_date_epoch_as_buildtime: '1',
      clamp_mtime_to_source_date_epoch: '1',
    }
    try {
      await run(
        'rpmbuild',
        [
          '-bb',
          '--target',
          architecture === 'x64' ? 'x86_64' : 'aarch64',
          ...Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]),
          specFile,
        ],
        { SOURCE_DATE_EPOCH: String(epoch) },
      )
    } finally {
      rmSync(links, { recursive: true })
    }
    await run('cp', [join(work, 'rpm/out/package.rpm'), file])
  },

  'tar.gz': async ({ tree, name, epoch }, file, fast) => {
    await run('tar', [
      '--create',
      `--use-compress-program=gzip ${fast ? '-1' : '-9'}n`,
      '--file',
      file,
      '--sort=name',
      `--mtime=@${epoch}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      // An unpacked file belongs to the user who unpacked it, and the sandbox's helper must not run as that
      // user.
      '--mode=u-s,go-w',
      '-C',
      join(tree, 'opt'),
      name,
    ])
  },
}

/**
 * @param {Format} format
 * @param {Stage} stage
 * @param {string} file to be made
 * @param {boolean} fast
 */
export const buildPackage = (format, stage, file, fast) => builders[format](stage, file, fast)

/** Seconds since 1970 of the last change, so that the same sources produce the same package. */
const sourceDate = async () => {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH)
  const { code, out } = await collect('git', ['log', '-1', '--format=%ct'], { cwd: root })
  return code === 0 ? Number(out) : Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000)
}

await runScript(import.meta.url, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'test-build': { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
      version: { type: 'string' },
    },
  })
  const asked = formats.filter((format) => positionals.length === 0 || positionals.includes(format))
  if (positionals.some((word) => !formats.some((format) => format === word)))
    throw new Error(`A package is one of ${formats.join(', ')}.`)

  const testBuild = values['test-build']
  const dist = join(root, testBuild ? 'dist/test' : 'dist')
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
  const program = join(dist, architecture === 'x64' ? 'linux-unpacked' : 'linux-arm64-unpacked')
  if (!existsSync(program))
    throw new Error(`${program} is missing: npm run package${testBuild ? ' -- --test-build' : ''}`)

  /** @type {{ version: string, description: string }} */
  const { version: present, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version = values.version ?? present
  const name = testBuild ? testBuildName : 'wheelhouse'
  const work = mkdtempSync(join(dist, 'stage-'))
  try {
    const stage = await stagePackage({
      program,
      work,
      name,
      version,
      architecture,
      epoch: await sourceDate(),
      title: testBuild ? 'Wheelhouse (test build)' : 'Wheelhouse',
      summary: description.replace(/[:.].*$/, ''),
    })
    for (const format of asked) {
      const started = Date.now()
      const file = join(dist, `${name}-${version}-linux-${architecture}.${format}`)
      await buildPackage(format, stage, file, values.fast)
      const megabytes = (statSync(file).size / 1e6).toFixed(1)
      console.log(`${file}  ${megabytes} MB  ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }
    // The table of docs/packaging.md.
    console.log(`| ${'Unpacked'.padEnd(20)} | MB    |`)
    for (const { what, megabytes } of sizesOf(join(stage.tree, 'opt', name)))
      console.log(`| ${what.padEnd(20)} | ${megabytes.toFixed(1).padEnd(5)} |`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return 0
})
