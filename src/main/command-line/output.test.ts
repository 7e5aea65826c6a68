import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outputs } from './output'

const page = readFileSync(join(import.meta.dirname, '../../../docs/command-line.md'), 'utf8')
const examples = [...page.matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
}))

it.each(examples)('the documented JSON of $name fits its schema', ({ name, text }) => {
  const schema = Object.entries(outputs).find(([output]) => output === name)?.[1]
  expect(schema?.safeParse(JSON.parse(text)).error).toBeUndefined()
  expect(schema).toBeDefined()
})

it('every shape is documented', () => {
  // `show` has the fields of `ls`; `start` and `delete` have the fields of `stop`.
  const missing = Object.keys(outputs).filter((output) => !examples.some(({ name }) => name === output))
  expect(missing).toEqual(['show', 'start', 'delete'])
})
