import { computed, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { Creation, MachineDraft } from '#shared/bridge/creation'
import { useAction } from '../../components/action'
import { useCreation } from '../../stores/creation'
import { bareMetalOrder, fieldOfFailure, machineOrder, type Offer } from './draft'

/** Sends the draft, once each time the person says so, and knows of earlier ones whose outcome is open. */
export function useSending({
  account,
  kind,
  draft,
  offer,
  hold,
  goOn,
  sent,
}: {
  readonly account: AccountId
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  hold(): void
  goOn(): void
  sent(creation: Creation): Promise<void>
}) {
  const creation = useCreation()
  const isMachine = kind === 'machine'

  const sending = useAction(
    isMachine ? 'creation.machine.send' : 'creation.bareMetal.send',
    async (again: boolean) => {
      const { keys } = offer.value
      const { key: from, keyFile } = draft.value
      const key = from === 'file' ? keys.find(({ path }) => path === keyFile) : undefined
      const identityFile = key?.identityFile ?? null
      const shared = { request: crypto.randomUUID(), account, again, identityFile }
      hold()
      try {
        await sent(
          isMachine
            ? await creation.createMachine({ ...shared, machine: machineOrder(draft.value, keys) })
            : await creation.createBareMetal({ ...shared, machine: bareMetalOrder(draft.value, keys) }),
        )
      } finally {
        goOn()
      }
    },
  )
  /** An earlier creation is open: whether a yes may be given now, or it is still being looked for. */
  const isOpen = computed(() => {
    const failure = sending.failure.value
    return failure?.kind === 'invalid-input' && failure.reason === 'outcome-open'
  })
  const waits = computed(() =>
    creation.list.some(
      ({ kind: other, name, state }) =>
        other === kind &&
        name === draft.value.name.trim() &&
        (state.kind === 'looking' || state.kind === 'sending'),
    ),
  )
  const openNames = computed(() =>
    creation.list
      .filter(
        ({ kind: other, state }) => other === kind && ['absent', 'unclear', 'unknown'].includes(state.kind),
      )
      .map(({ name }) => name)
      .join(', '),
  )
  /** Why it failed, where that is about none of the fields. */
  const general = computed(() => {
    const failure = sending.failure.value
    return failure && !isOpen.value && fieldOfFailure(failure) === null ? failure : null
  })

  return { sending, isOpen, waits, openNames, general }
}
