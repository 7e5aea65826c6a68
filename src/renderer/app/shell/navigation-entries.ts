import type { Component } from 'vue'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { useTerminals } from '../../stores/terminals'
import { useVolumes } from '../../stores/volumes'
import type { MessagePath } from '../../platform/i18n'
import { routes } from '../routes'

/** A page in the rail and in the command palette. */
export interface NavigationEntry {
  readonly name: string
  readonly label: MessagePath
  readonly icon: Component
  /** Returns the number of items on the page; null if unknown. */
  readonly count: (() => number | null) | undefined
}

export function useNavigation(): readonly NavigationEntry[] {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const volumes = useVolumes()
  const terminals = useTerminals()
  const counts: Readonly<Record<string, NavigationEntry['count']>> = {
    machines: () => ((fleet.status?.asOf ?? null) === null ? null : fleet.machines.size),
    'bare-metal': () => (bareMetal.list.length > 0 ? bareMetal.list.length : null),
    volumes: () => ((volumes.status?.asOf ?? null) === null ? null : volumes.volumes.size),
    terminals: () => (terminals.sessions.length > 0 ? terminals.sessions.length : null),
  }
  return routes.flatMap(({ name, meta: { title, icon } }) =>
    icon ? [{ name, label: title, icon, count: counts[name] }] : [],
  )
}
