import { computed, onScopeDispose, type Ref, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineKind } from '#shared/bridge/catalog'
import type { Creation, MachineDraft } from '#shared/bridge/creation'
import { earlierCreations, isOutcomeOpen } from '#shared/earlier-creations'
import { failureOf } from '#shared/failure'
import { useAction } from '../../components/action'
import { useCreation } from '../../stores/creation'
import { bareMetalOrder, fieldOfFailure, identityFileOf, machineOrder, type Offer } from './draft'

/** Sends the draft once. If an earlier creation may be the same, sends it only after the user confirmed. */
export function useSending({
  account,
  kind,
  draft,
  offer,
  hold,
  goOn,
  prepare,
  sent,
}: {
  readonly account: AccountId
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  hold(): void
  goOn(): void
  /** Stores the work after the creation. Fails with local-fault. */
  prepare(): Promise<void>
  sent(creation: Creation): Promise<void>
}) {
  const creation = useCreation()
  const isMachine = kind === 'machine'
  // Prevents a navigation after the user left the form.
  let hasLeft = false
  onScopeDispose(() => (hasLeft = true))

  /** Creations that may be the same, as found by the main process, also by the hash of a name. */
  const candidates = shallowRef<readonly Creation[]>([])
  const sending = useAction(
    isMachine ? 'creation.machine.send' : 'creation.bareMetal.send',
    async (again: readonly string[]) => {
      const { keys } = offer.value
      const { name, request } = draft.value
      const wish = { kind, name: name.trim(), request }
      const shared = {
        request,
        account,
        again: [...again],
        identityFile: identityFileOf(draft.value, keys),
      }
      hold()
      try {
        await prepare()
        const created = isMachine
          ? await creation.createMachine({ ...shared, machine: machineOrder(draft.value, keys) })
          : await creation.createBareMetal({ ...shared, machine: bareMetalOrder(draft.value, keys) })
        if (!hasLeft) await sent(created)
      } catch (error) {
        if (isOutcomeOpen(failureOf(error, '')))
          candidates.value = earlierCreations(await creation.read(account, wish.name), wish)
        throw error
      } finally {
        goOn()
      }
    },
  )
  const isOpen = computed(() => isOutcomeOpen(sending.failure.value))
  const earlier = computed(() =>
    candidates.value.map((candidate) => ({
      ...candidate,
      ...creation.list.find(({ id }) => id === candidate.id),
      name: candidate.name,
    })),
  )
  const general = computed(() => {
    const failure = sending.failure.value
    return failure && !isOpen.value && fieldOfFailure(failure) === null ? failure : null
  })

  return { sending, isOpen, earlier, general }
}
