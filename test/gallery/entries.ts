import type { GalleryEntry } from './state'

interface NamedEntry extends GalleryEntry {
  /** The component's file, below src/renderer. */
  readonly name: string
}
const isFile = (value: unknown): value is Record<'__file', string> =>
  typeof value === 'object' && value !== null && '__file' in value && typeof value.__file === 'string'

/** Path of a component's source, below src/renderer. Only development builds have it. */
const fileOf = (component: object): string =>
  isFile(component) ? component.__file.replace(/^.*src\/renderer\//, '') : '?'

const all = import.meta.glob<{ readonly default: readonly GalleryEntry[] }>('./states/*.ts', { eager: true })

/** Every component with its states. */
export const entries: readonly NamedEntry[] = Object.values(all)
  .flatMap((file) => file.default)
  .map((one) => ({ ...one, name: fileOf(one.component) }))
