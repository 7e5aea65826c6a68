/**
 * Removes the code for JSON Schema from zod: each schema refers to it, so no bundler drops it, but the window
 * never uses it. Saves 6 kB gzip of the first paint.
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

/** Throws if zod's code has changed; this file must then follow it. */
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
