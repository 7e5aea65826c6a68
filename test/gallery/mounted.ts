import { NConfigProvider } from 'naive-ui'
import { createPinia, setActivePinia } from 'pinia'
import { createApp, h, nextTick, type VNodeChild } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { dropDrafts } from '../../src/renderer/components/unsaved'
import ToastArea from '../../src/renderer/components/ToastArea.vue'
import { guardComposition } from '../../src/renderer/platform/keys'
import { createFakeMain, type FakeMain, useFakeMain } from './fake-main'
import { createPlaces } from './router'
import { startFirstStores, startOtherStores } from '../../src/renderer/stores/start-stores'
import { world } from './world'

// happy-dom (21) has no popovers.
if (!('showPopover' in HTMLElement.prototype)) {
  const { matches } = Element.prototype
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      this.dataset.open = ''
    },
    hidePopover(this: HTMLElement) {
      delete this.dataset.open
    },
    matches(this: HTMLElement, selector: string) {
      return matches.call(this, selector === ':popover-open' ? '[data-open]' : selector)
    },
  })
}

// It has no layout either: elements that measure themselves have space for some rows.
for (const [name, value] of [
  ['offsetWidth', 800],
  ['offsetHeight', 600],
  ['clientHeight', 600],
] as const)
  Object.defineProperty(HTMLElement.prototype, name, { value, configurable: true })

// It does not draw either: a canvas accepts every call, and its texts have no width.
const canvas: unknown = new Proxy(
  {},
  { get: (_, name) => (name === 'measureText' ? () => ({ width: 0 }) : () => undefined), set: () => true },
)
Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', { value: () => canvas, configurable: true })

/** A test's access to a component. */
export interface Mounted {
  readonly main: FakeMain
  readonly router: ReturnType<typeof createPlaces>
  /** The first element that this selector finds, dialogs and menus included. */
  find(selector: string): HTMLElement
  all(selector: string): readonly HTMLElement[]
  /** The button, link, tab, radio or menu item with this name. */
  named(name: string | RegExp): HTMLElement
  text(): string
  click(target: HTMLElement | string): Promise<void>
  press(target: HTMLElement, key: string, more?: KeyboardEventInit): Promise<KeyboardEvent>
  type(input: HTMLElement, text: string): Promise<void>
  /** The input whose label contains this text. */
  field(label: string): HTMLInputElement
  /** Moves the focus out of a field, which ends its input. */
  leave(field: HTMLElement): Promise<void>
  submit(): Promise<void>
  settled(): Promise<void>
  unmount(): void
}

export const nameOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()
const pressable = 'button, a, [role=tab], [role=radio], [role=menuitem], [role=option]'

/** Mounts the result of `render` as the application would: with loaded stores, messages, routes. */
export async function mounted(
  render: () => VNodeChild,
  handlers: Partial<Handlers> = {},
  { toasts = true }: { readonly toasts?: boolean } = {},
): Promise<Mounted> {
  const main = createFakeMain({ ...world, ...handlers })
  useFakeMain(main)
  dropDrafts()
  const pinia = createPinia()
  setActivePinia(pinia)
  const router = createPlaces()
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const app = createApp({
    render: () => h(NConfigProvider, null, () => [render(), toasts ? h(ToastArea) : null]),
  })
  app.use(pinia).use(router)
  await app.runWithContext(startFirstStores)
  app.runWithContext(startOtherStores)
  await main.settled()
  const unguard = guardComposition(document)
  app.mount(place)

  const settled = async () => {
    await nextTick()
    await main.settled()
    await nextTick()
  }
  await settled()
  const all = (selector: string) => [...document.body.querySelectorAll<HTMLElement>(selector)]
  const find = (selector: string) => {
    const [found] = all(selector)
    if (!found) throw new Error(`no ${selector} in ${document.body.innerHTML.slice(0, 2_000)}`)
    return found
  }
  const named = (name: string | RegExp) => {
    const fits = (own: string) => (typeof name === 'string' ? own === name : name.test(own))
    const found = all(pressable).find((element) => fits(nameOf(element)))
    if (!found) throw new Error(`nothing is named ${String(name)}: ${all(pressable).map(nameOf).join(' | ')}`)
    return found
  }
  const field = (label: string): HTMLInputElement => {
    const id = all('label')
      .find((one) => one.textContent.includes(label))
      ?.getAttribute('for')
    const found = find(`#${id ?? 'none'}`)
    if (!(found instanceof HTMLInputElement)) throw new Error(`${label} labels no input`)
    return found
  }
  return {
    main,
    router,
    find,
    all,
    named,
    field,
    async leave(field) {
      field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      await settled()
    },
    text: () => document.body.textContent ?? '',
    async click(target) {
      const element = typeof target === 'string' ? named(target) : target
      element.click()
      await settled()
    },
    async press(target, key, more = {}) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
      target.dispatchEvent(event)
      await settled()
      return event
    },
    async type(input, text) {
      if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement))
        throw new Error('no field to type into')
      input.value = text
      input.dispatchEvent(new Event('input', { bubbles: true }))
      await settled()
    },
    async submit() {
      find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
      await settled()
    },
    settled,
    unmount() {
      unguard()
      app.unmount()
    },
  }
}

/** Records a component's events: `on` are the listeners to pass, by event name. */
export function emissions<Name extends string>(...names: readonly Name[]) {
  const seen: (readonly [name: Name, ...payload: unknown[]])[] = []
  const on: Record<string, (...payload: unknown[]) => void> = {}
  for (const name of names)
    on[`on${name.charAt(0).toUpperCase()}${name.slice(1)}`] = (...payload) => seen.push([name, ...payload])
  return { seen, on }
}
