// npm run package: builds the application with the official Electron as a runnable folder in dist/.
// --test-build   in dist/test/, under its own name; may contain the fallback Electron (docs/packaging.md)
// Other arguments go to electron-builder, as in: npm run package -- --mac
import { dirname, join } from 'node:path'
import { runHere } from './processes.mjs'
import { testBuildName } from './refuse-registry-runtime.mjs'
import { root, runScript, setUp } from './setup.mjs'
import { writeNotices } from './third-party-notices.mjs'

const testBuildConfig = [
  `--config.extraMetadata.name=${testBuildName}`,
  `--config.extraMetadata.productName=${testBuildName}`,
  `--config.extraMetadata.desktopName=${testBuildName}.desktop`,
  `--config.productName=${testBuildName}`,
  `--config.linux.executableName=${testBuildName}`,
  '--config.directories.output=dist/test',
]

/**
 * Returns the source of updates: the releases of the repository that builds the package, which GitHub's
 * runners name. Other packages have none and do not update themselves (docs/updates.md). Pure.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} for electron-builder
 */
export const feedOf = ({ GITHUB_REPOSITORY: repository = '' }) => {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
  if (!owner || !repo) return []
  return ['provider=github', `owner=${owner}`, `repo=${repo}`].map((one) => `--config.publish.${one}`)
}

await runScript(import.meta.url, async () => {
  const testBuild = process.argv.includes('--test-build')
  const args = process.argv.slice(2).filter((arg) => arg !== '--test-build')
  if (!testBuild) process.env.WHEELHOUSE_ELECTRON = 'official'
  const { program } = await setUp()
  const tool = (/** @type {string} */ path) => join(root, 'node_modules', path)
  const built = await runHere(process.execPath, [tool('electron-vite/bin/electron-vite.js'), 'build'], {
    cwd: root,
  })
  if (built !== 0) return built
  writeNotices()
  // electron-builder downloads another system's Electron; this system's is already unpacked.
  const here = args.length === 0 ? ['--dir', `--config.electronDist=${runtimeFolder(program)}`] : args
  return runHere(
    process.execPath,
    [
      tool('electron-builder/cli.js'),
      '--publish=never',
      ...here,
      ...(testBuild ? testBuildConfig : feedOf(process.env)),
    ],
    { cwd: root },
  )
})

/** @param {string} program on macOS inside Electron.app/Contents/MacOS */
function runtimeFolder(program) {
  return process.platform === 'darwin' ? join(dirname(program), '../../..') : dirname(program)
}
