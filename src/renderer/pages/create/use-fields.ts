import { computed, reactive, ref, shallowRef, type Ref } from 'vue'
import type { MachineKind } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import type { VolumeView } from '#shared/bridge/volume'
import { t } from '../../platform/i18n'
import { shortGpuText } from '../../features/machine-text'
import { chosenOf, type Habits, inPlace, withDefaults, withSize } from './choices'
import { emptyDraft, type FormField, inRegion, type Offer, type Problems, problemsOf } from './draft'
import { gpuGroups, placesOf } from './gpu-groups'

interface FormInput {
  readonly kind: MachineKind
  readonly draft: Readonly<Ref<MachineDraft>>
  readonly offer: Readonly<Ref<Offer>>
  readonly volumes: Readonly<Ref<readonly VolumeView[]>>
  /** Problems of the form's template. */
  templateProblems(): Problems
}

function useOptions({ kind, draft, offer, volumes }: FormInput) {
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
  const hardware = computed(() => chosenOf(draft.value, groups.value, offer.value))
  const places = computed(() =>
    hardware.value.size ? placesOf(hardware.value.size, offer.value.regions) : [],
  )
  const bootField = computed<FormField>(() =>
    kind === 'machine' && draft.value.boot === 'volume' ? 'volume' : 'image',
  )
  const bootVolume = computed(() =>
    bootField.value === 'volume'
      ? (volumes.value.find(({ name }) => name !== null && name === draft.value.volume.trim()) ?? null)
      : null,
  )
  /** Summary of the order, which includes the choices below the fold. */
  const order = computed(() => {
    const { size } = hardware.value
    if (!size) return null
    const { image, volume, region } = draft.value
    const place = places.value.find(({ key }) => key === region)
    const system = images.value.find(({ id }) => id === image)?.name ?? ''
    const root = bootField.value === 'volume' ? (bootVolume.value?.displayName ?? volume.trim()) : system
    return [shortGpuText(size.best) ?? size.best.name, place?.region.name ?? place?.key, root]
      .filter(Boolean)
      .join(' · ')
  })
  return { images, bootVolumes, flavor, groups, hardware, places, bootField, bootVolume, order }
}

/** Keys of the draft by field: a change of a key clears the rejection of its field. */
const draftKeys: Readonly<Record<FormField, readonly (keyof MachineDraft)[]>> = {
  flavor: ['flavor'],
  region: ['region'],
  name: ['name'],
  image: ['image', 'boot'],
  volume: ['volume', 'boot'],
  key: ['key', 'keyFile', 'pastedKey'],
  script: ['initScript'],
  plan: ['plan'],
}

/** The error of each field: a rejection by the service, or a problem of the draft. */
function useErrors({ kind, draft, offer, volumes, templateProblems }: FormInput, hasHardware: () => boolean) {
  /** The user tried to send the form, so that missing fields are errors too. */
  const attempted = ref(false)
  const touched = reactive(new Set<FormField>())
  /** Rejection by the service, shown at its field until that changes. */
  const refused = shallowRef<{ readonly field: FormField; readonly text: string } | null>(null)

  const problems = computed((): Problems => ({
    ...problemsOf(draft.value, kind, offer.value, volumes.value),
    ...templateProblems(),
  }))
  /** Problems that the user can solve now: hardware comes before its region and image. */
  const solvable = computed((): Problems => {
    const { flavor, region: _, image, ...others } = problems.value
    if (flavor !== 'creation.missing.flavor') return problems.value
    if (!hasHardware()) return { ...others, flavor }
    return { ...others, region: 'creation.missing.region', ...(image && { image }) }
  })
  const errorAt = (field: FormField): string | null => {
    if (refused.value?.field === field) return refused.value.text
    const problem = solvable.value[field]
    const isSoldOut = problem === 'creation.missing.flavorSoldOut'
    return problem && (attempted.value || touched.has(field) || isSoldOut) ? t(problem) : null
  }
  function touch(field: FormField, changes: Partial<MachineDraft>): void {
    touched.add(field)
    const refusedKeys = refused.value ? draftKeys[refused.value.field] : []
    if (refusedKeys.some((key) => key in changes && changes[key] !== draft.value[key])) refused.value = null
  }
  function resetErrors(): void {
    attempted.value = false
    touched.clear()
    refused.value = null
  }
  return { attempted, touched, refused, problems, errorAt, touch, resetErrors }
}

export function useFields(
  input: FormInput & {
    readonly habits: Readonly<Ref<Habits>>
    change(changes: Partial<MachineDraft>): void
  },
) {
  const { draft, offer, habits } = input
  const options = useOptions(input)
  const { groups, hardware, flavor, bootField } = options
  const errors = useErrors(input, () => hardware.value.size !== undefined)
  const { touched } = errors

  const isNameTaken = computed(() => habits.value.names.has(draft.value.name.trim()))
  function edit(field: FormField, changes: Partial<MachineDraft>): void {
    errors.touch(field, changes)
    input.change(changes)
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
      const { size } = hardware.value
      if (key !== null && size) edit('region', inPlace(draft.value, key, size, offer.value, habits.value))
    },
  })
  /** Key of the chosen size. A region that the user chose stays if possible. */
  const chosenSize = computed({
    get: () => hardware.value.size?.key ?? null,
    set: (key: string | null) => {
      const size = groups.value.flatMap(({ sizes }) => sizes).find((candidate) => candidate.key === key)
      if (!size) return
      // A click on a row arrives twice (row and radio button); the second must not change the region.
      const isAvailable = flavor.value !== null && flavor.value.inStock !== false
      if (isAvailable && key === hardware.value.size?.key) return
      const bootsFromVolume = bootField.value === 'volume' && draft.value.volume.trim() !== ''
      const keepsRegion = touched.has('region') || draft.value.flavor === null || bootsFromVolume
      const change = { size, before: touched.has('name') ? undefined : hardware.value.group }
      edit('flavor', withSize(draft.value, change, offer.value, habits.value, keepsRegion))
    },
  })
  const editBoot = (changes: Partial<MachineDraft>): void =>
    edit(bootField.value, withDefaults({ ...draft.value, ...changes }, offer.value, habits.value))
  function startOver(): void {
    errors.resetErrors()
    input.change(withDefaults(emptyDraft(), offer.value, habits.value))
  }

  return { ...options, ...errors, isNameTaken, edit, name, script, region, chosenSize, editBoot, startOver }
}
