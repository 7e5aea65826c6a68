import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import { type PlanView, type Template, templateLimits, type TemplateView } from '#shared/bridge/template'
import type { Money } from '#shared/money/money'
import { textOrder } from '#shared/locale'
import { numberedName } from '#shared/next-name'
import { bridge } from '../platform/bridge'
import { usePerAccount, useSelected } from './per-account'

/** Templates of machines, and the progress of machines that were created from them. */
export const useTemplates = defineStore('templates', () => {
  const templates = shallowRef<readonly TemplateView[]>([])
  const isLoaded = ref(false)
  const list = computed(() => templates.value.toSorted((one, other) => textOrder()(one.name, other.name)))
  const { values, follow } = usePerAccount<readonly PlanView[]>('plans.list', (account) =>
    bridge.call('plans.list', { account }),
  )
  const selected = useSelected(values)
  const plans = computed(() => selected.value ?? [])

  let wished: { readonly form: string; readonly price: Money } | null = null
  /** Asks a form that opens now to create a machine at once, at the price per hour that the user saw. `form`: id of the form. */
  const wish = (form: string, price: Money): void => void (wished = { form, price })
  /** Returns the price of the form's wish, once; null if there is none. */
  function takeWish(form: string): Money | null {
    const price = wished?.form === form ? wished.price : null
    wished = null
    return price
  }

  function show(next: readonly TemplateView[]): void {
    templates.value = next
    isLoaded.value = true
  }
  function start(): void {
    bridge.on('templates.changed', (change) => show(change.templates))
    bridge.on('plans.changed', ({ account, plans: changed }) => values.set(account, changed))
    follow()
    bridge.call('templates.list', {}).then(show, (error: unknown) => console.error('templates.list', error))
  }
  const find = (id: string | undefined): TemplateView | undefined =>
    templates.value.find((template) => template.id === id)
  /** Reads the templates, also before the store has started. */
  const read = async (): Promise<void> => show(await bridge.call('templates.list', {}))
  /** Names of the other templates. */
  const otherNames = (id: string): ReadonlySet<string> =>
    new Set(templates.value.flatMap((template) => (template.id === id ? [] : [template.name])))
  const save = (template: Template) => bridge.call('templates.save', { template })
  /** Saves a template, with a number after its name if another one has it. */
  const saveNumbered = (template: Template) =>
    save({ ...template, name: numberedName(template.name, otherNames(template.id), templateLimits.name) })
  const remove = ({ id }: Template) => bridge.call('templates.remove', { template: id })
  const saveFile = ({ id }: Template) => bridge.call('templates.export', { template: id })
  const openFile = () => bridge.call('templates.import', {})
  const prepare = (order: CallInput<'plans.prepare'>) => bridge.call('plans.prepare', order)
  const retry = ({ account, request }: PlanView) => bridge.call('plans.retry', { account, request })
  const runHeld = ({ account, request }: PlanView) => bridge.call('plans.runHeld', { account, request })
  const dismiss = ({ account, request }: PlanView) => bridge.call('plans.dismiss', { account, request })
  return {
    list,
    isLoaded,
    plans,
    start,
    find,
    read,
    otherNames,
    save,
    saveNumbered,
    remove,
    saveFile,
    openFile,
    wish,
    takeWish,
    prepare,
    retry,
    runHeld,
    dismiss,
  }
})
