import { createVNode, nextTick, resolveDynamicComponent, type VNode, type VNodeChild } from 'vue'
import type { Handlers } from '#shared/bridge/index'

/** One state of a component, as in the picture. */
export interface GalleryState {
  readonly render: () => VNodeChild
  /** Width in pixels for a component at the edges of its place. */
  readonly width?: number
  /** Height in pixels for a component that fills its parent. */
  readonly height?: number
  /** In a document that is written from right to left. */
  readonly rtl?: boolean
  /** Answers of the main process that differ from the world (world.ts). The state then has its own stores. */
  readonly handlers?: Partial<Handlers> | undefined
  /** Prepares the state once it is mounted: opens, types, presses. */
  readonly act?: (stage: HTMLElement) => unknown
}

/** A component with its states by name. */
export interface GalleryEntry {
  readonly component: object
  readonly states: Readonly<Record<string, GalleryState>>
}

/** States by name; a function is the render function. */
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

/** Same as `h`, for components with generic properties or slots. */
export const draw = (component: unknown, properties: object, slots?: object): VNode =>
  createVNode(resolveDynamicComponent(component), { ...properties }, slots)

/** Finds an element of a stage by its selector; the state fails without it. */
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
