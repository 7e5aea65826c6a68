import { computed, ref, type Ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FlavorView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import type { MachinePlan } from '#shared/bridge/template'
import type { VolumeView } from '#shared/bridge/volume'
import { lacksValues } from '#shared/secret-mask'
import { isTypedName } from '../../components/typed-name'
import type { MessagePath } from '../../platform/i18n'
import { useSshConsents } from '../../stores/ssh-consents'
import { useTemplates } from '../../stores/templates'
import { isAttachable } from './from-template'

/** The work after a creation from a template: its problems, the answers of the user, and its storage before sending. */
export function usePlan({
  account,
  draft,
  volumes,
  areVolumesKnown,
  flavor,
}: {
  readonly account: AccountId
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly volumes: Readonly<Ref<readonly VolumeView[]>>
  readonly areVolumesKnown: Readonly<Ref<boolean>>
  flavor(): FlavorView | null
}) {
  const templates = useTemplates()
  const consents = useSshConsents()
  /** Name of the machine, as typed to arm its deletion. */
  const typedName = ref('')

  const lacksVolume = (id: string): boolean => areVolumesKnown.value && !isAttachable(id, volumes.value)
  /** Whether the user allows SSH without them on every machine of the account. */
  const isAllowedAnyway = computed(() => {
    const answers = consents.of(account)?.everyMachine
    return answers?.jobs === true && answers.startup === true
  })
  const needsConsent = ({ commands, isSshAllowed }: MachinePlan): boolean =>
    commands.trim() !== '' && !isSshAllowed && !isAllowedAnyway.value
  const needsName = ({ end, isEndArmed }: MachinePlan): boolean => isEndArmed && end?.action === 'delete'
  const isNameTyped = computed(() => isTypedName(typedName.value, draft.value.name.trim()))
  /** Currency of the machine if the budget has another one, so that it can never be reached. */
  const otherCurrency = ({ end }: MachinePlan): string | null => {
    const currency = flavor()?.price?.currency
    if (end?.when.kind !== 'budget' || currency === undefined) return null
    return currency === end.when.budget.currency ? null : currency
  }
  const problem = (): MessagePath | null => {
    const { plan } = draft.value
    if (!plan) return null
    if (plan.volumes.some(({ id }) => lacksVolume(id))) return 'templates.plan.incomplete'
    if (lacksValues(plan.commands) || lacksValues(plan.ssh.options)) return 'templates.plan.valuesMissing'
    if (needsConsent(plan)) return 'templates.plan.allowMissing'
    if (plan.isEndArmed && otherCurrency(plan) !== null) return 'templates.plan.incomplete'
    return needsName(plan) && !isNameTyped.value ? 'templates.plan.typed' : null
  }
  /** Stores the plan before its creation is sent. */
  async function prepare(): Promise<void> {
    const { plan, request, name } = draft.value
    if (!plan) return
    const machine = name.trim()
    const confirmedName = needsName(plan) && isNameTyped.value ? machine : null
    await templates.prepare({ account, request, name: machine, plan, confirmedName })
  }
  return { typedName, lacksVolume, isAllowedAnyway, otherCurrency, problem, prepare }
}
export type Plan = ReturnType<typeof usePlan>
