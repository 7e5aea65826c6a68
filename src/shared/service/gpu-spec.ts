interface GpuSpec {
  readonly model: string
  readonly memory: number | null
  readonly form: string | null
}

/** Splits a name such as `NVIDIA H100 80GB SXM` into model, memory and form factor. */
function specOf(gpu: string): GpuSpec {
  const words = gpu
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .replace(/^(?:NVIDIA|AMD|Intel) (?=\S)/i, '')
  const memory = /\b(\d{1,4}) ?G(?:i?B)?\b/i
  const form = /\b(?:SXM\d?|PCIe|NVL\d*)\b/i
  const model = words.replace(memory, ' ').replace(form, ' ').replace(/ +/g, ' ').trim()
  if (model === '') return { model: words, memory: null, form: null }
  return { model, memory: Number(memory.exec(words)?.[1] ?? 0) || null, form: form.exec(words)?.[0] ?? null }
}

const isSameModel = (a: GpuSpec, b: GpuSpec): boolean => a.model.toLowerCase() === b.model.toLowerCase()

/** Completes a short name such as `H100` if the list allows only one longer name. */
function completed(spec: GpuSpec, all: readonly GpuSpec[]): GpuSpec {
  const only = <Value>(values: readonly (Value | null)[]): Value | null => {
    const [first = null, ...others] = new Set(values.filter((value) => value !== null))
    return others.length === 0 ? first : null
  }
  const alike = all.filter((other) => isSameModel(spec, other))
  const memory =
    spec.memory ??
    only(alike.filter(({ form }) => !spec.form || !form || form === spec.form).map(({ memory }) => memory))
  const form =
    spec.form ??
    only(
      alike
        .filter((candidate) => !memory || !candidate.memory || candidate.memory === memory)
        .map(({ form }) => form),
    )
  return { model: alike[0]?.model ?? spec.model, memory, form }
}

/** Parses the names of a list and completes short names from longer ones. Pure. */
export function gpuSpecs(names: readonly (string | null)[]): ReadonlyMap<string, GpuSpec> {
  const specs = new Map(names.flatMap((name) => (name ? [[name, specOf(name)] as const] : [])))
  const all = [...specs.values()]
  return new Map([...specs].map(([name, spec]) => [name, completed(spec, all)]))
}

/**
 * Maps each name of a list to the longest name of the same model: `RTX PRO 6000` becomes `NVIDIA RTX PRO 6000 96GB`
 * if the list has no other candidate. Pure.
 */
export function fullGpuNames(names: readonly (string | null)[]): ReadonlyMap<string, string> {
  const longest = new Map<string, string>()
  const keys = [...gpuSpecs(names)].map(([name, { model, memory, form }]) => {
    const key = JSON.stringify([model, memory, form]).toLowerCase()
    if (name.length > (longest.get(key)?.length ?? 0)) longest.set(key, name)
    return [name, key] as const
  })
  return new Map(keys.map(([name, key]) => [name, longest.get(key) ?? name]))
}
