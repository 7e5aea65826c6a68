import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeJsonSchema } from './without-json-schema.mjs'

const path = join(import.meta.dirname, '../node_modules/zod/v4/classic/schemas.js')

it('leaves nothing of zod that writes JSON Schema but the imports, which the bundler then drops', () => {
  const rest = removeJsonSchema(readFileSync(path, 'utf8'))
  const named = rest.match(/\b(?:create\w*JSONSchema\w*|processJSONSchema|processors\.\w+(?=\())/g) ?? []
  expect([...new Set(named)].toSorted()).toEqual([
    'createStandardJSONSchemaMethod',
    'createToJSONSchemaMethod',
    'processors.aggregateChecks',
  ])
})

it('fails if the code of zod has changed', () => {
  expect(() => removeJsonSchema('export const ZodType = 1')).toThrow('processJSONSchema')
})
