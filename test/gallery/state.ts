import { createVNode, nextTick, resolveDynamicComponent, type VNode, type VNodeChild } from 'vue'
import type { Handlers } from '#shared/bridge/index'

/** One state of a component, as it is photographed. */
export interface GalleryState {
  readonly render: () => VNodeChild
  /** Pixels of what stands at the edges of its place. */
  readonly width?: number
  /** Pixels of what fills the height that it is given. */
  readonly height?: number
  /** In a document that is written from right to left. */
  readonly rtl?: boolean
  /** What the main process answers here other than in the world (world.ts). The state then has stores of its own. */
  readonly handlers?: Partial<Handlers> | undefined
  /** Brings it into the state once it is mounted: opens, types, presses. */
  readonly act?: (stage: HTMLElement) => unknown
}

/** A component with its states by name. */
export interface GalleryEntry {
  readonly component: object
  readonly states: Readonly<Record<string, GalleryState>>
}

/** States by name; a function alone is what is rendered. */
export const entry = (
  component: object,
  states: Readonly<Record<string, GalleryState | GalleryState['render']>>,
): GalleryEntry => ({
  component,
  states: Object.fromEntries(
    Object.entries(states).map(([name, state]) => [
      name,
      typeof state === 'function' ? { render: state } : state,
    ]),
  ),
})

/** As `h`, for components whose properties or slots have a type of their own to choose. */
export const draw = (component: unknown, properties: object, slots?: object): VNode =>
  createVNode(resolveDynamicComponent(component), { ...properties }, slots)

/** Finds an element of a stage by its selector; the state is wrong where there is none. */
export function part(stage: HTMLElement, selector: string): HTMLElement {
  const found = stage.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`the state shows no ${selector}`)
  return found
}

/** Types into the first field of a stage. */
export async function fill(stage: HTMLElement, text: string): Promise<void> {
  const input = part(stage, 'input')
  if (input instanceof HTMLInputElement) input.value = text
  input.dispatchEvent(new Event('input'))
  await nextTick()
}

/** Sends the form of a stage, as Enter does. */
export const submit = (stage: HTMLElement): unknown => part(stage, 'form').dispatchEvent(new Event('submit'))
