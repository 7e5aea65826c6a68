import { computed, reactive, ref, shallowRef, type Ref } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import { t } from '../../platform/i18n'
import { useFleet } from '../../stores/fleet'
import { emptyDraft, type FormField, inRegion, type Offer, problemsOf, withRegion } from './draft'

/** The fields of the form over a draft: what each offers, and what is wrong with it. */
export function useFields({
  kind,
  draft,
  offer,
  volumes,
  change,
}: {
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  readonly volumes: Readonly<Ref<readonly VolumeView[]>>
  change(changes: Partial<MachineDraft>): void
}) {
  const fleet = useFleet()
  const isMachine = kind === 'machine'
  /** The person tried to send it: what is missing is said too. */
  const attempted = ref(false)
  const touched = reactive(new Set<FormField>())
  /** What was sent and refused: shown at its field until that changes. */
  const refused = shallowRef<{ readonly field: FormField; readonly text: string } | null>(null)

  const flavors = computed(() => inRegion(offer.value.flavors, draft.value, offer.value.regions))
  const images = computed(() => inRegion(offer.value.images, draft.value, offer.value.regions))
  const bootVolumes = computed(() =>
    inRegion(volumes.value, draft.value, offer.value.regions).flatMap((volume) => {
      if (volume.bootable !== true || volume.name === null || volume.attachment.kind === 'attached') return []
      const label = [volume.displayName, volume.name, volume.status].filter(Boolean).join(' · ')
      return [{ name: volume.name, label }]
    }),
  )
  const flavor = computed(() => flavors.value.find(({ id }) => id === draft.value.flavor) ?? null)
  const problems = computed(() => problemsOf(draft.value, kind, offer.value))
  const taken = computed(() => fleet.list.some(({ name }) => name === draft.value.name.trim()))
  const bootField = computed<FormField>(() =>
    isMachine && draft.value.boot === 'volume' ? 'volume' : 'image',
  )

  const errorAt = (field: FormField): string | null => {
    if (refused.value?.field === field) return refused.value.text
    const problem = problems.value[field]
    return problem && (attempted.value || touched.has(field)) ? t(problem) : null
  }
  function edit(field: FormField, changes: Partial<MachineDraft>): void {
    touched.add(field)
    if (refused.value?.field === field) refused.value = null
    change(changes)
  }
  const name = computed({
    get: () => draft.value.name,
    set: (value: string) => edit('name', { name: value }),
  })
  const script = computed({
    get: () => draft.value.initScript,
    set: (value: string) => edit('script', { initScript: value }),
  })
  const region = computed({
    get: () => draft.value.region,
    set: (key: string | null) => {
      if (key !== null) edit('region', withRegion(draft.value, key, offer.value))
    },
  })
  const chosenFlavor = computed({
    get: () => draft.value.flavor,
    set: (id: string | null) => edit('flavor', { flavor: id }),
  })
  /** Another draft is in the form: what was wrong with the one before is over. */
  function forget(): void {
    attempted.value = false
    touched.clear()
    refused.value = null
  }
  function startOver(): void {
    forget()
    change(emptyDraft())
  }

  return {
    ...{ attempted, refused, problems, errorAt, edit, forget, startOver },
    ...{ flavors, images, bootVolumes, flavor, taken, bootField },
    ...{ name, script, region, chosenFlavor },
  }
}
