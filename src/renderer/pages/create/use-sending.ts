import { computed, onScopeDispose, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { Creation, MachineDraft } from '#shared/bridge/creation'
import { earlierCreations } from '#shared/earlier-creations'
import { useAction } from '../../components/action'
import { useCreation } from '../../stores/creation'
import { bareMetalOrder, fieldOfFailure, machineOrder, type Offer } from './draft'

/** Sends the draft once; where an earlier creation may be the same wish, again only after a yes. */
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
  // Who has left the form meanwhile is not taken away from where they are.
  let left = false
  onScopeDispose(() => (left = true))

  const sending = useAction(
    isMachine ? 'creation.machine.send' : 'creation.bareMetal.send',
    async (again: boolean) => {
      const { keys } = offer.value
      const { key: from, keyFile } = draft.value
      const key = from === 'file' ? keys.find(({ path }) => path === keyFile) : undefined
      const identityFile = key?.identityFile ?? null
      const shared = { request: draft.value.request, account, again, identityFile }
      hold()
      try {
        const created = isMachine
          ? await creation.createMachine({ ...shared, machine: machineOrder(draft.value, keys) })
          : await creation.createBareMetal({ ...shared, machine: bareMetalOrder(draft.value, keys) })
        if (!left) await sent(created)
      } finally {
        goOn()
      }
    },
  )
  /** An earlier creation may be the same wish: nothing was sent, and the person is asked. */
  const isOpen = computed(() => {
    const failure = sending.failure.value
    return failure?.kind === 'invalid-input' && failure.reason === 'outcome-open'
  })
  const earlier = computed(() => {
    const { name, request } = draft.value
    return earlierCreations(creation.list, { kind, name: name.trim(), request })
  })
  /** Why it failed, where that is about none of the fields. */
  const general = computed(() => {
    const failure = sending.failure.value
    return failure && !isOpen.value && fieldOfFailure(failure) === null ? failure : null
  })

  return { sending, isOpen, earlier, general }
}
