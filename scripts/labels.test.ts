import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { scriptOf } from './component-scripts.mjs'

const src = join(import.meta.dirname, '../src')

const isMessage = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  /^(t|tPath|translate)$/.test(node.expression.text)

/**
 * Finds messages that are looked up once for good: while a file is evaluated, before all messages are loaded
 * and in the language of that moment, or into a constant of a component's set-up.
 */
function caughtLabels(file: string, text: string): readonly string[] {
  const isComponent = file.endsWith('.vue')
  const script = isComponent ? scriptOf(text) : text
  const source = ts.createSourceFile(`${file}.ts`, script, ts.ScriptTarget.ESNext)
  const found: string[] = []
  const visit = (node: ts.Node, isKept: boolean): void => {
    if (ts.isFunctionLike(node)) return
    if (isKept && isMessage(node))
      found.push(`${file}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`)
    ts.forEachChild(node, (child) => visit(child, isKept || ts.isVariableDeclaration(node)))
  }
  visit(source, !isComponent)
  return found
}

it('no message is looked up while a module loads or kept from a component’s set-up', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test|\.fixture|\.d)\.(ts|vue)$/.test(file),
  )
  expect(files.length).toBeGreaterThan(800)
  expect(files.flatMap((file) => caughtLabels(file, readFileSync(join(src, file), 'utf8')))).toEqual([])
})

it.each([
  ['a.ts', "const title = t('a.b')", 1],
  ['a.ts', "const titles = new Map([['vm', t('a.b')], ['volume', tPath(path)]])", 2],
  ['a.ts', "const title = () => t('a.b')\nclass One {\n  title() { return t('a.b') }\n}", 0],
  ['a.vue', '<script setup lang="ts">\nconst label = ref(t(\'a.b\'))\n</script>', 1],
  ['a.vue', '<script setup lang="ts">\nconst label = computed(() => t(\'a.b\'))\n</script>', 0],
  // Messages that are shown once, when an event happens.
  ['a.vue', '<script setup lang="ts">\nif (!machine) toast.notice(t(\'a.b\'))\n</script>', 0],
])('the search in %s returns %s', (file, text, count) => {
  expect(caughtLabels(file, text)).toHaveLength(count)
})
