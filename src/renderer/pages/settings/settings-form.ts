import { computed, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type Failure, failureOf } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import type { Money } from '#shared/money/money'
import { servingLast, useAction } from '../../components/action'
import { useToast } from '../../components/toast'
import type { KeptDraft } from '../../components/unsaved'
import { fieldOf } from '../../features/accounts/credential-draft'
import { leavesFocus } from '../../platform/focus'
import { type MessagePath, t, tPath } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'

/** The account that a section of the settings is about: the selected one, until the user chooses another. */
export function useChosenAccount() {
  const accounts = useAccounts()
  const account = ref<AccountId | null>(accounts.selected?.id ?? null)
  // The chosen account may be forgotten on the same page.
  watch(
    () => accounts.all.map(({ id }) => id),
    (ids) => {
      if (account.value === null || !ids.includes(account.value))
        account.value = accounts.selected?.id ?? null
    },
  )
  return account
}

/** Meaning of a field as typed. `ambiguous`: the user must confirm the amount as it was understood. */
export type FieldReading<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'ambiguous'; readonly money: Money }
  | {
      readonly kind: 'wrong'
      readonly words: MessagePath
      readonly parameters?: Readonly<Record<string, number>>
    }

/** New values by field. */
type Changes = Readonly<Record<string, unknown>>

interface SettingsFormDeps<Draft, Kept, Reading> {
  /** Names the form in a failure of this computer. */
  readonly title: MessagePath
  readonly saved: MessagePath
  /** The form among several of its kind, such as the id of its account. */
  readonly key: () => string
  /** Returns the store of drafts of the form. Only fields whose text differs from the saved one are in it. */
  readonly drafts: (key: () => string, saved: () => Partial<Draft>) => KeptDraft<Partial<Draft>>
  /** Returns the settings as saved; null: not loaded yet. */
  readonly kept: () => Kept | null
  /** Returns the fields as they are shown for saved settings. */
  readonly draftOf: (kept: Kept | null) => Draft
  readonly read: (draft: Draft) => Reading
  /** Saves these fields and no others. */
  readonly write: (key: string, changes: Changes) => Promise<void>
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/**
 * A form whose fields are saved one by one when they lose the focus, with undo. A field that is wrong, ambiguous or
 * refused stays as a draft, also while the page is not shown.
 */
export function useSettingsForm<
  Field extends string,
  Draft extends Readonly<Record<Field, unknown>>,
  Kept extends Readonly<Partial<Record<Field, unknown>>>,
  Reading extends Readonly<Record<Field, FieldReading<unknown>>>,
>(fields: readonly Field[], deps: SettingsFormDeps<Draft, Kept, Reading>) {
  const { title, key, kept, draftOf, write } = deps
  const toast = useToast()
  const { draft: typed } = deps.drafts(key, () => ({}))
  const savedDraft = computed(() => draftOf(kept()))
  const draft = computed((): Draft => ({ ...savedDraft.value, ...typed.value }))
  const reading = computed(() => deps.read(draft.value))

  /** Fields whose input has ended: they are saved, or show what is wrong. */
  const left = ref(new Set<string>())
  /** Why fields were refused, until they are changed. */
  const refused = shallowRef<ReadonlyMap<string, Failure>>(new Map())

  /** Returns the typed fields of which this is true. */
  function typedFields(isKept: (field: Field) => boolean): Partial<Draft> {
    const kept: Partial<Draft> = {}
    for (const field of fields)
      if (Object.hasOwn(typed.value, field) && isKept(field)) kept[field] = typed.value[field]
    return kept
  }
  /** Drops typed fields that were not changed since `before`. */
  function settle(settled: readonly Field[], before: Partial<Draft>): void {
    typed.value = typedFields((field) => !settled.includes(field) || typed.value[field] !== before[field])
  }
  async function undo(id: string, before: Changes): Promise<void> {
    try {
      await write(id, before)
    } catch (error) {
      toast.failed(error, t(title))
    }
  }
  const pick = (changed: readonly Field[], valueOf: (field: Field) => unknown): Changes =>
    Object.fromEntries(changed.map((field) => [field, valueOf(field) ?? null]))

  /** Saves fields. A field that is refused does not keep the others from being saved. */
  async function writeAll(id: string, changes: Changes): Promise<Changes> {
    try {
      if (Object.keys(changes).length > 0) await write(id, changes)
      return changes
    } catch (error) {
      const failure = failureOf(error, t(title))
      const name = fieldOf(failure)
      if (name === null || !Object.hasOwn(changes, name)) throw error
      if (id === key()) refused.value = new Map([...refused.value, [name, failure]])
      const others = Object.fromEntries(Object.entries(changes).filter(([field]) => field !== name))
      return writeAll(id, others)
    }
  }
  const saving = useAction(
    title,
    async () => {
      const [id, settings, before, read] = [key(), kept(), typed.value, reading.value]
      if (settings === null) return
      const valueOf = (field: Field): unknown => {
        const one = read[field]
        return one.kind === 'value' ? one.value : undefined
      }
      const readable = fields.filter(
        (field) =>
          left.value.has(field) &&
          Object.hasOwn(before, field) &&
          read[field].kind === 'value' &&
          !refused.value.has(field),
      )
      const changed = readable.filter((field) => !isSame(valueOf(field), settings[field]))
      const written = await writeAll(id, pick(changed, valueOf))
      const saved = changed.filter((field) => Object.hasOwn(written, field))
      if (saved.length > 0) {
        const restored = pick(saved, (field) => settings[field])
        toast.doneWith(t(deps.saved), {
          label: t('common.actions.undo'),
          act: () => void undo(id, restored),
        })
      }
      if (id !== key()) return
      settle(
        readable.filter((field) => !refused.value.has(field)),
        before,
      )
    },
    () => typed.value,
  )
  /** Saves what can be read of the fields that were left. Fields typed meanwhile are saved afterwards. */
  const save = servingLast(async () => void (await saving.run()))

  // Fields that were left before the settings were loaded.
  watch(
    () => kept() !== null,
    (isLoaded) => {
      if (isLoaded) void save()
    },
  )

  // Fields typed on an earlier visit show what is wrong with them at once.
  watch(
    key,
    () => {
      saving.failure.value = null
      refused.value = new Map()
      left.value = new Set(fields.filter((field) => Object.hasOwn(typed.value, field)))
    },
    { immediate: true },
  )

  function type<Name extends Field>(field: Name, value: Draft[Name]): void {
    left.value = new Set([...left.value].filter((one) => one !== field))
    refused.value = new Map([...refused.value].filter(([name]) => name !== field))
    const next = typedFields((one) => one !== field)
    if (!isSame(value, savedDraft.value[field])) next[field] = value
    typed.value = next
  }
  function leave(ended: readonly Field[] = fields): void {
    left.value = new Set([...left.value, ...ended])
    void save()
  }

  return {
    draft,
    reading,
    saving,
    hasLeft: (field: Field): boolean => left.value.has(field),
    /** Returns what is wrong with a field whose input has ended. */
    errorOf(field: Field): string | null {
      const failure = refused.value.get(field)
      if (failure) return failureText(failure, tPath).text
      const read: FieldReading<unknown> = reading.value[field]
      return left.value.has(field) && read.kind === 'wrong' ? t(read.words, read.parameters) : null
    },
    type,
    leave,
    leaveByFocus(event: FocusEvent, field: Field): void {
      if (leavesFocus(event)) leave([field])
    },
  }
}
