import { computed, ref, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ArmedTerms, MachineDraft } from '#shared/bridge/creation'
import type { FlavorView, MachineKind } from '#shared/bridge/catalog'
import { useArmedCreations } from '../../stores/armed-creations'
import {
  bareMetalOrder,
  type FormField,
  identityFileOf,
  machineOrder,
  type Offer,
  type Problems,
} from './draft'

/** Lets a creation wait until its flavor is back in stock. */
export function useArming({
  account,
  kind,
  draft,
  offer,
  flavor,
  problems,
  errorAt,
  hold,
  goOn,
  prepare,
}: {
  readonly account: AccountId
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  readonly flavor: Readonly<Ref<FlavorView | null>>
  readonly problems: Readonly<Ref<Problems>>
  errorAt(field: FormField): string | null
  hold(): void
  goOn(): void
  /** Stores the work after the creation. Fails with local-fault. */
  prepare(): Promise<void>
}) {
  const armed = useArmedCreations()
  const isAsking = ref(false)
  /** The form orders a flavor that is out of stock. */
  const isSoldOut = computed(() => flavor.value?.inStock === false)
  /** Whether the form is complete apart from the stock. */
  const isComplete = (): boolean => Object.keys(problems.value).every((field) => field === 'flavor')
  /** The error of a field apart from the stock. */
  const otherErrorAt = (field: FormField): string | null => (field === 'flavor' ? null : errorAt(field))

  async function arm({ cap, expiresAt }: ArmedTerms): Promise<void> {
    const { keys } = offer.value
    const { region } = flavor.value ?? { region: { id: null, name: null } }
    const order =
      kind === 'machine'
        ? { kind, machine: machineOrder(draft.value, keys) }
        : { kind, machine: bareMetalOrder(draft.value, keys) }
    hold()
    try {
      await prepare()
      await armed.arm({
        account,
        order,
        identityFile: identityFileOf(draft.value, keys),
        draft: { ...draft.value },
        region: { ...region },
        cap,
        expiresAt,
      })
    } catch (error) {
      goOn()
      throw error
    }
  }
  return { isAsking, isSoldOut, isComplete, otherErrorAt, arm }
}
