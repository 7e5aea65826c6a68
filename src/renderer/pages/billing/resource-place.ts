import { computed } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { useVolumes } from '../../stores/volumes'
import type { MessagePath } from '../../platform/i18n'

interface ResourcePlace {
  readonly to: RouteLocationRaw
  readonly label: MessagePath
}

/** Returns the route of a billed resource while it exists. The id decides, because bare metal is billed as `vm`. */
export function useResourcePlaces() {
  const fleet = useFleet()
  const volumes = useVolumes()
  const bareMetal = useBareMetal()
  const instances = computed(() => new Set(bareMetal.list.map(({ id }) => id)))
  return (id: string): ResourcePlace | null => {
    if (fleet.machines.has(id))
      return { to: { name: 'machines', params: { machine: id } }, label: 'billing.panel.open' }
    if (volumes.volumes.has(id))
      return { to: { name: 'volumes', params: { volume: id } }, label: 'billing.panel.openVolume' }
    if (instances.value.has(id))
      return { to: { name: 'bare-metal', params: { instance: id } }, label: 'billing.panel.openBareMetal' }
    return null
  }
}
