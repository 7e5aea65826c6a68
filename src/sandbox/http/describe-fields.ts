import { z } from 'zod'

/** Description of a schema's field. `name` is dotted if the field is nested. */
export interface FieldDescription {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly rules: string
}

export function describeFields(schema: z.ZodType, prefix = ''): FieldDescription[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && inner.element instanceof z.ZodType)
    return describeFields(inner.element, prefix)
  if (inner instanceof z.ZodUnion && inner.options[0] instanceof z.ZodType) {
    return describeFields(inner.options[0], prefix)
  }
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape).flatMap(([key, field]) =>
    field instanceof z.ZodType ? describe(prefix + key, field) : [],
  )
}

const described = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

const typeName = (schema: z.ZodType): string => {
  const { type } = described(schema)
  return typeof type === 'string' ? type : ''
}

function describe(name: string, schema: z.ZodType): FieldDescription[] {
  const inner = unwrap(schema)
  const list =
    inner instanceof z.ZodArray && inner.element instanceof z.ZodType ? unwrap(inner.element) : undefined
  const nested = describeFields(inner, `${name}${list === undefined ? '' : '[]'}.`)
  const field = {
    name,
    type: list === undefined ? typeName(inner) : `array of ${typeName(list)}`,
    required: !schema.safeParse(undefined).success,
    rules: rules(inner),
  }
  return [field, ...nested]
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = schema.unwrap()
    return inner instanceof z.ZodType ? unwrap(inner) : schema
  }
  return schema
}

function rules(schema: z.ZodType): string {
  const json = described(schema)
  const values = Array.isArray(json.enum) ? json.enum.map((value) => JSON.stringify(value)).join(', ') : ''
  const range = [
    ['minimum', 'at least'],
    ['maximum', 'at most'],
    ['maxLength', 'characters, at most'],
  ]
    .flatMap(([key = '', words = '']) => {
      const value = json[key]
      return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
        ? [`${words} ${value}`]
        : []
    })
    .join(', ')
  return [values, range, typeof json.description === 'string' ? json.description : '']
    .filter(Boolean)
    .join('; ')
}
