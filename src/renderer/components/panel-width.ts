import { computed, onMounted, onUnmounted, ref, type Ref } from 'vue'
import { panelWidths } from '#shared/bridge/app'
import { t } from '../platform/i18n'
import { useApp } from '../stores/app'
import { useToast } from './toast'

/** Smallest width of the list next to a panel, in pixels. In a very narrow window the panel comes first. */
const minListWidth = 360

/** Returns the largest width of a panel in an area of `room` pixels. Pure. */
export const maxPanelWidth = (room: number): number => Math.max(panelWidths.min, room - minListWidth)

/** The width of side panels in pixels, which the user chooses and all panels share. */
export function usePanelWidth(panel: Readonly<Ref<HTMLElement | null>>) {
  const app = useApp()
  const toast = useToast()
  /** Width during a move of the divider. */
  const moved = ref<number | null>(null)
  /** Width of the list and the panel together; infinite before the page is laid out. */
  const room = ref(Number.POSITIVE_INFINITY)
  const chosen = computed(() => moved.value ?? app.settings.panelWidth ?? panelWidths.usual)
  const max = computed(() => maxPanelWidth(room.value))
  const width = computed(() => Math.min(chosen.value, max.value))

  function measure(): void {
    const around = panel.value?.parentElement?.clientWidth ?? 0
    if (around > 0) room.value = around
  }
  const observer = new ResizeObserver(measure)
  onMounted(() => {
    measure()
    if (panel.value?.parentElement) observer.observe(panel.value.parentElement)
  })
  onUnmounted(() => observer.disconnect())

  function move(to: number): void {
    moved.value = Math.round(Math.min(Math.max(to, panelWidths.min), max.value))
  }
  async function save(): Promise<void> {
    const panelWidth = moved.value
    if (panelWidth === null) return
    await toast.attempt(t('common.panel.width'), () => app.change({ panelWidth }))
    if (moved.value === panelWidth) moved.value = null
  }
  function moveTo(to: number): void {
    move(to)
    void save()
  }
  return { width, max, move, moveTo, save }
}
