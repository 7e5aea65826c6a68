import { computed, ref, shallowRef, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FolderView } from '#shared/bridge/files'
import type { MachineView } from '#shared/bridge/fleet'
import { failureOf, type Failure } from '#shared/failure'
import { nothingChosen, pruned, type Selection } from '../../components/grid/selection'
import { sortedBy, sortedByColumn, type Sorting } from '../../components/rows'
import { t } from '../../platform/i18n'
import { useFiles, type FilesPlace } from '../../stores/files'
import { type FileKey, type FileRow, fileRows } from './file-text'
import { rowIds } from './row-ids'

export function useOpenFolder(
  props: { readonly account: AccountId; readonly machine: MachineView },
  isConnected: () => boolean,
) {
  const files = useFiles()
  const folder = shallowRef<FolderView | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const sorting = ref<Sorting<FileKey>>({ key: 'name', descending: false })
  const showsHidden = ref(false)
  const selection = shallowRef<Selection>(nothingChosen)
  /** Number of the newest listing. Answers of older listings are dropped. */
  let lastListing = 0

  let idsOf = rowIds()
  const all = shallowRef<readonly FileRow[]>([])
  function show(listed: FolderView | null): void {
    const isSame = folder.value?.path === listed?.path
    if (!isSame) idsOf = rowIds()
    const entries = listed?.entries ?? []
    const ids = idsOf(entries.map(({ name }) => name))
    all.value = entries.map((entry, index) => ({ ...entry, id: ids[index] ?? '' }))
    folder.value = listed
    failure.value = null
    const present = new Set(ids)
    selection.value = isSame ? pruned(selection.value, (id) => present.has(id)) : nothingChosen
  }
  const visible = computed(() =>
    showsHidden.value ? all.value : all.value.filter(({ name }) => !name.startsWith('.')),
  )
  const rows = computed(() => sortedBy(visible.value, fileRows, sorting.value))
  const selected = computed(() => rows.value.filter(({ id }) => selection.value.chosen.has(id)))

  async function open(path: string | null): Promise<void> {
    const listing = ++lastListing
    try {
      const listed = await files.list(props.account, props.machine.id, path)
      if (listing === lastListing) show(listed)
    } catch (error) {
      if (listing === lastListing) failure.value = failureOf(error, t('files.action.list'))
    }
  }
  const refresh = (): Promise<void> => open(folder.value?.path ?? null)
  const place = (): FilesPlace => ({
    account: props.account,
    machine: props.machine.id,
    folder: folder.value?.path ?? '/',
  })

  watch(
    () => props.machine.id,
    () => {
      lastListing += 1
      show(null)
    },
  )
  watch(
    [() => props.machine.id, isConnected] as const,
    ([, connected]) => {
      if (connected) void refresh()
    },
    { immediate: true },
  )

  return {
    folder,
    failure,
    sorting,
    showsHidden,
    selection,
    rows,
    all,
    selected,
    open,
    refresh,
    place,
    sortBy: (key: FileKey): void => void (sorting.value = sortedByColumn(sorting.value, key)),
  }
}
