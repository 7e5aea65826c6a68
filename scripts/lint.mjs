// npm run lint: oxlint with types for everything that TypeScript reads and for the scripts of components, eslint for
// what only a reader of Vue's templates can judge.
import { join, relative } from 'node:path'
import { writeComponentScripts } from './component-scripts.mjs'
import { collect } from './processes.mjs'
import { root, runScript } from './setup.mjs'

/** Folder of the components’ scripts, below the tree; a name without a dot, or oxlint leaves them out. */
const componentScripts = 'test-results/component-scripts'

/** The tests run at the same time with a higher priority. */
const timeoutSeconds = 3_600

/**
 * Runs both linters over one tree, in parallel.
 *
 * @param {string} tree the repository, or a folder with the same configuration
 * @param {{ oxlint?: string, eslint?: string }} [format] of their reports
 */
export const lint = async (tree, { oxlint = 'unix', eslint = 'stylish' } = {}) => {
  const scripts = writeComponentScripts(tree, join(tree, componentScripts))
  /** @param {readonly string[]} args */
  const run = ([program = '', ...args]) =>
    collect(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: tree,
      seconds: timeoutSeconds,
    })
  const [scriptReport, templateReport] = await Promise.all([
    run([
      'oxlint/bin/oxlint',
      '--format',
      oxlint,
      '--ignore-pattern',
      '**/*.vue',
      '.',
      ...scripts.map((file) => relative(tree, file)),
    ]),
    run([
      'eslint/bin/eslint.js',
      '--config',
      join(root, 'eslint.config.js'),
      '--max-warnings',
      '0',
      '--format',
      eslint,
      'src',
    ]),
  ])
  return {
    clean: scriptReport.code === 0 && templateReport.code === 0,
    oxlint: scriptReport.out.replaceAll(`${componentScripts}/`, '').replaceAll(/\.vue\.ts\b/g, '.vue'),
    eslint: templateReport.out,
    errors: scriptReport.err + templateReport.err,
  }
}

await runScript(import.meta.url, async () => {
  const { clean, ...reports } = await lint(root)
  for (const report of Object.values(reports)) process.stdout.write(report)
  return clean ? 0 : 1
})
