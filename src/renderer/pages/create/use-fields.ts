import { computed, reactive, ref, shallowRef, type Ref } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import { t } from '../../platform/i18n'
import { shortGpuText } from '../../features/machine-text'
import { chosenOf, type Habits, inPlace, withDefaults, withSize } from './choices'
import { emptyDraft, type FormField, inRegion, type Offer, type Problems, problemsOf } from './draft'
import { gpuGroups, placesOf } from './gpu-groups'

/** What of the draft each field holds: a refusal is over once that is another. */
const heldBy: Readonly<Record<FormField, readonly (keyof MachineDraft)[]>> = {
  flavor: ['flavor'],
  region: ['region'],
  name: ['name'],
  image: ['image', 'boot'],
  volume: ['volume', 'boot'],
  key: ['key', 'keyFile', 'pastedKey'],
  script: ['initScript'],
}

/** The fields of the form over a draft: what each offers, and what is wrong with it. */
export function useFields({
  kind,
  draft,
  offer,
  volumes,
  habits,
  change,
}: {
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  readonly volumes: Readonly<Ref<readonly VolumeView[]>>
  readonly habits: Readonly<Ref<Habits>>
  change(changes: Partial<MachineDraft>): void
}) {
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
  const groups = computed(() => gpuGroups(offer.value.flavors))
  const chosen = computed(() => chosenOf(draft.value, groups.value, offer.value))
  const places = computed(() => (chosen.value.size ? placesOf(chosen.value.size, offer.value.regions) : []))
  const bootField = computed<FormField>(() =>
    isMachine && draft.value.boot === 'volume' ? 'volume' : 'image',
  )
  const bootVolume = computed(() =>
    bootField.value === 'volume'
      ? (volumes.value.find(({ name }) => name !== null && name === draft.value.volume.trim()) ?? null)
      : null,
  )
  /** What is ordered, in short: the choices below the fold too. */
  const order = computed(() => {
    const { size } = chosen.value
    if (!size) return null
    const { boot, image, volume, region: key } = draft.value
    const place = places.value.find((one) => one.key === key)
    const system = images.value.find(({ id }) => id === image)?.name ?? ''
    const root = isMachine && boot === 'volume' ? (bootVolume.value?.displayName ?? volume.trim()) : system
    return [shortGpuText(size.best) ?? size.best.name, place?.region.name ?? place?.key, root]
      .filter(Boolean)
      .join(' · ')
  })
  const problems = computed(() => problemsOf(draft.value, kind, offer.value, volumes.value))
  const taken = computed(() => habits.value.names.has(draft.value.name.trim()))

  /** Without hardware there is no region and no image to choose; hardware that is elsewhere lacks its region alone. */
  const shown = computed((): Problems => {
    const { flavor: missing, region: _, image, ...others } = problems.value
    if (missing !== 'creation.missing.flavor') return problems.value
    if (!chosen.value.size) return { ...others, flavor: missing }
    return { ...others, region: 'creation.missing.region', ...(image && { image }) }
  })
  const errorAt = (field: FormField): string | null => {
    if (refused.value?.field === field) return refused.value.text
    const problem = shown.value[field]
    const isSoldOut = problem === 'creation.missing.flavorSoldOut'
    return problem && (attempted.value || touched.has(field) || isSoldOut) ? t(problem) : null
  }
  function edit(field: FormField, changes: Partial<MachineDraft>): void {
    touched.add(field)
    const held = refused.value ? heldBy[refused.value.field] : []
    if (held.some((key) => key in changes && changes[key] !== draft.value[key])) refused.value = null
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
      const { size } = chosen.value
      if (key !== null && size) edit('region', inPlace(draft.value, key, size, offer.value, habits.value))
    },
  })
  /** The key of a size. A region that was chosen before any hardware, or by hand, is kept where it can be. */
  const chosenSize = computed({
    get: () => chosen.value.size?.key ?? null,
    set: (key: string | null) => {
      const size = groups.value.flatMap(({ sizes }) => sizes).find((one) => one.key === key)
      if (!size) return
      // A press on a row reaches it twice; a second one must not leave the region that the first has kept.
      const isHere = flavor.value !== null && flavor.value.inStock !== false
      if (isHere && key === chosen.value.size?.key) return
      const isVolume = bootField.value === 'volume' && draft.value.volume.trim() !== ''
      const isKept = touched.has('region') || draft.value.flavor === null || isVolume
      const picked = { size, before: touched.has('name') ? undefined : chosen.value.group }
      edit('flavor', withSize(draft.value, picked, offer.value, habits.value, isKept))
    },
  })
  const editBoot = (changes: Partial<MachineDraft>): void =>
    edit(bootField.value, withDefaults({ ...draft.value, ...changes }, offer.value, habits.value))
  /** Another draft is in the form: what was wrong with the one before is over. */
  function forget(): void {
    attempted.value = false
    touched.clear()
    refused.value = null
  }
  function startOver(): void {
    forget()
    change(withDefaults(emptyDraft(), offer.value, habits.value))
  }

  return {
    attempted,
    refused,
    problems,
    errorAt,
    edit,
    editBoot,
    forget,
    startOver,
    groups,
    picked: chosen,
    places,
    images,
    bootVolumes,
    bootVolume,
    flavor,
    taken,
    bootField,
    name,
    script,
    region,
    chosenSize,
    order,
  }
}
