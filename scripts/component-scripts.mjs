import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { parse } from 'vue/compiler-sfc'

/**
 * Returns the parameters of a generic component as separate types.
 *
 * @param {string} parameters such as `Row extends object, Key extends string`
 */
const typesOf = (parameters) => {
  const { statements } = ts.createSourceFile(
    'generic.ts',
    `type T<${parameters}> = 0`,
    ts.ScriptTarget.ESNext,
    true,
  )
  const [alias] = statements
  if (!alias || !ts.isTypeAliasDeclaration(alias)) return ''
  return (alias.typeParameters ?? [])
    .map(({ name, constraint }) => `export type ${name.text} = ${constraint?.getText() ?? 'unknown'}`)
    .join('\n')
}

/**
 * Returns the script of a component, each line at its place in the component. Imports of a template, and the
 * module's view of a component, share one type, as in src/renderer/vue-files.d.ts.
 *
 * @param {string} source of a .vue file
 * @returns {string}
 */
export const scriptOf = (source) => {
  const { scriptSetup, script } = parse(source).descriptor
  const blocks = [script, scriptSetup].filter((block) => block !== null)
  const lines = source.split('\n').map(() => '')
  for (const { content, loc } of blocks)
    content.split('\n').forEach((line, at) => {
      lines[loc.start.line - 1 + at] += line
    })
  const exported = script?.content.includes('export default') ? '' : 'export default {}'
  const generic = scriptSetup?.attrs.generic
  return [...lines, exported, typeof generic === 'string' ? typesOf(generic) : '', ''].join('\n')
}

/**
 * Writes the script of every component below `src` as `Name.vue.ts` to the same place below `target`, with a
 * tsconfig.json that reads both trees as one: linters with types cannot read .vue files.
 *
 * @param {string} root of the repository
 * @param {string} target
 * @returns {string[]} the files, for a linter that skips files ignored by git unless they are named
 */
export const writeComponentScripts = (root, target) => {
  rmSync(target, { recursive: true, force: true })
  const components = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.vue'),
  )
  const files = components.map((component) => {
    const file = join(target, 'src', `${component}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, scriptOf(readFileSync(join(root, 'src', component), 'utf8')))
    return file
  })
  const fromTarget = relative(target, root)
  writeFileSync(
    join(target, 'tsconfig.json'),
    JSON.stringify({
      extends: join(fromTarget, 'tsconfig.json'),
      compilerOptions: { rootDirs: [fromTarget, '.'], incremental: false },
      include: ['src', join(fromTarget, 'src/renderer/**/*.ts')],
      exclude: [],
    }),
  )
  return files
}
