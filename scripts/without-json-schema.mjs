/**
 * zod's schemas without the code that writes them as JSON Schema: each schema names it, so that no bundler leaves it out,
 * and the window never asks for it. 6 kB gzip of the first paint.
 */
const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/

/** @type {readonly (readonly [RegExp, string])[]} */
const removals = [
  [
    /^ *inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);$/gm,
    '',
  ],
  [/^ *toJSONSchema\(params\) \{\n *return createToJSONSchemaMethod\(this, \{\}\)\(params\);\n *\},$/gm, ''],
  [
    /^ *jsonSchema: \{\n *input: createStandardJSONSchemaMethod.*\n *output: createStandardJSONSchemaMethod.*\n *\},$/gm,
    '',
  ],
]

/** Throws where zod's code is no longer as it was: then this file must follow it. */
export function removeJsonSchema(/** @type {string} */ code) {
  return removals.reduce((rest, [pattern, replacement]) => {
    const next = rest.replace(pattern, replacement)
    if (next === rest) throw new Error(`zod's schemas have nothing like ${String(pattern)}`)
    return next
  }, code)
}

export const withoutJsonSchema = () => ({
  name: 'without-json-schema',
  transform: (/** @type {string} */ code, /** @type {string} */ id) =>
    schemas.test(id) ? { code: removeJsonSchema(code), map: null } : null,
})
