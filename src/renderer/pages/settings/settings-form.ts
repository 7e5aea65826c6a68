import { computed, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { type Failure, FailureError } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import type { Money } from '#shared/money/money'
import { servingLast, useAction } from '../../components/action'
import { useToast } from '../../components/toast'
import type { KeptDraft } from '../../components/unsaved'
import { fieldOf } from '../../features/accounts/credential-draft'
import { leavesFocus } from '../../platform/focus'
import { type MessagePath, t, tPath } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'

/** Returns the account of a settings section: the selected one, until the user chooses another. */
export function useChosenAccount() {
  const accounts = useAccounts()
  const account = ref<AccountId | null>(accounts.selected?.id ?? null)
  // The user may forget the chosen account on the same page.
  watch(
    () => accounts.all.map(({ id }) => id),
    (ids) => {
      if (account.value === null || !ids.includes(account.value))
        account.value = accounts.selected?.id ?? null
    },
  )
  return account
}

/** Meaning of a typed field. `ambiguous`: the user must confirm the interpretation of the amount. */
export type FieldReading<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'ambiguous'; readonly money: Money }
  | {
      readonly kind: 'wrong'
      readonly message: MessagePath
      readonly parameters?: Readonly<Record<string, number>>
    }

type Changes = Readonly<Record<string, unknown>>

interface SettingsFormDeps<Draft, Settings, Reading> {
  /** Names the form in failures of this computer. */
  readonly title: MessagePath
  readonly saved: MessagePath
  /** Returns the key of the form among several of its kind, such as the id of its account. */
  readonly key: () => string
  /** Returns the store of the form's draft, which contains only fields that differ from the saved ones. */
  readonly drafts: (key: () => string, saved: () => Partial<Draft>) => KeptDraft<Partial<Draft>>
  /** Returns the saved settings, or null before they are loaded. */
  readonly settings: () => Settings | null
  readonly draftOf: (settings: Settings | null) => Draft
  readonly read: (draft: Draft) => Reading
  /** Saves only these fields. */
  readonly write: (key: string, changes: Changes) => Promise<void>
}

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

const changesOf = <Field extends string>(
  fields: readonly Field[],
  valueOf: (field: Field) => unknown,
): Changes => Object.fromEntries(fields.map((field) => [field, valueOf(field) ?? null]))

function typedFields<Field extends string, Draft extends Readonly<Record<Field, unknown>>>(
  fields: readonly Field[],
  typed: Partial<Draft>,
  filter: (field: Field) => boolean,
): Partial<Draft> {
  const selected: Partial<Draft> = {}
  for (const field of fields) if (Object.hasOwn(typed, field) && filter(field)) selected[field] = typed[field]
  return selected
}

/** Saves changes and returns the saved ones. A rejected field does not block the rest. */
async function writeAccepted(
  changes: Changes,
  write: (changes: Changes) => Promise<void>,
  refuse: (field: string, failure: Failure) => void,
): Promise<Changes> {
  try {
    if (Object.keys(changes).length > 0) await write(changes)
    return changes
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : null
    const name = fieldOf(failure)
    if (!failure || name === null || !Object.hasOwn(changes, name)) throw error
    refuse(name, failure)
    const others = Object.fromEntries(Object.entries(changes).filter(([field]) => field !== name))
    return writeAccepted(others, write, refuse)
  }
}

/**
 * A form that saves each field when it loses the focus, with undo. An invalid, ambiguous or rejected field stays a
 * draft, even if the user leaves the page.
 */
export function useSettingsForm<
  Field extends string,
  Draft extends Readonly<Record<Field, unknown>>,
  Settings extends Readonly<Partial<Record<Field, unknown>>>,
  Reading extends Readonly<Record<Field, FieldReading<unknown>>>,
>(fields: readonly Field[], deps: SettingsFormDeps<Draft, Settings, Reading>) {
  const { title, key, settings, draftOf, write } = deps
  const toast = useToast()
  const { draft: typed } = deps.drafts(key, () => ({}))
  const savedDraft = computed(() => draftOf(settings()))
  const draft = computed((): Draft => ({ ...savedDraft.value, ...typed.value }))
  const reading = computed(() => deps.read(draft.value))

  /** Fields whose input has ended: they are saved, or show their error. */
  const ended = ref(new Set<string>())
  /** Failures of rejected fields, until the user changes them. */
  const refused = shallowRef<ReadonlyMap<string, Failure>>(new Map())

  function dropTyped(names: readonly Field[], before: Partial<Draft>): void {
    typed.value = typedFields(
      fields,
      typed.value,
      (field) => !names.includes(field) || typed.value[field] !== before[field],
    )
  }
  const saving = useAction(
    title,
    async () => {
      const [id, stored, before, read] = [key(), settings(), typed.value, reading.value]
      if (stored === null) return
      const valueOf = (field: Field): unknown => {
        const meaning = read[field]
        return meaning.kind === 'value' ? meaning.value : undefined
      }
      const readable = fields.filter(
        (field) =>
          ended.value.has(field) &&
          Object.hasOwn(before, field) &&
          read[field].kind === 'value' &&
          !refused.value.has(field),
      )
      const changed = readable.filter((field) => !isSame(valueOf(field), stored[field]))
      const written = await writeAccepted(
        changesOf(changed, valueOf),
        (changes) => write(id, changes),
        (field, failure) => {
          if (id === key()) refused.value = new Map([...refused.value, [field, failure]])
        },
      )
      const saved = changed.filter((field) => Object.hasOwn(written, field))
      if (saved.length > 0) {
        const restored = changesOf(saved, (field) => stored[field])
        toast.doneWith(t(deps.saved), {
          label: t('common.actions.undo'),
          act: () => void toast.attempt(t(title), () => write(id, restored)),
        })
      }
      if (id !== key()) return
      dropTyped(
        readable.filter((field) => !refused.value.has(field)),
        before,
      )
    },
    () => typed.value,
  )
  /** Saves the valid fields whose input has ended, and again if more fields ended during the save. */
  const save = servingLast(async () => void (await saving.run()))

  // Saves fields that ended before the settings were loaded.
  watch(
    () => settings() !== null,
    (isLoaded) => {
      if (isLoaded) void save()
    },
  )

  // Fields typed on an earlier visit show their errors at once.
  watch(
    key,
    () => {
      saving.failure.value = null
      refused.value = new Map()
      ended.value = new Set(fields.filter((field) => Object.hasOwn(typed.value, field)))
    },
    { immediate: true },
  )

  function type<Name extends Field>(field: Name, value: Draft[Name]): void {
    ended.value = new Set([...ended.value].filter((name) => name !== field))
    refused.value = new Map([...refused.value].filter(([name]) => name !== field))
    const next = typedFields(fields, typed.value, (name) => name !== field)
    if (!isSame(value, savedDraft.value[field])) next[field] = value
    typed.value = next
  }
  function leave(names: readonly Field[] = fields): void {
    ended.value = new Set([...ended.value, ...names])
    void save()
  }
  function leaveByFocus(event: FocusEvent, field: Field): void {
    if (leavesFocus(event)) leave([field])
  }
  function errorOf(field: Field): string | null {
    const failure = refused.value.get(field)
    if (failure) return failureText(failure, tPath).text
    const meaning: FieldReading<unknown> = reading.value[field]
    return ended.value.has(field) && meaning.kind === 'wrong' ? t(meaning.message, meaning.parameters) : null
  }
  const fieldProps = <Name extends Field>(field: Name) => ({
    modelValue: draft.value[field],
    error: errorOf(field),
    onFocusout: (event: FocusEvent): void => leaveByFocus(event, field),
    'onUpdate:modelValue': (value: Draft[Name]): void => type(field, value),
  })
  const hasEnded = (field: Field): boolean => ended.value.has(field)

  return { draft, reading, saving, hasEnded, errorOf, fieldProps, type, leave, leaveByFocus }
}
