import {
  Container,
  HardDrive,
  House,
  KeyRound,
  LayoutGrid,
  ReceiptText,
  Server,
  Settings,
  SquareTerminal,
} from '@lucide/vue'
import type { Component } from 'vue'
import { useBareMetal } from '../../stores/bare-metal'
import { useFleet } from '../../stores/fleet'
import { useTerminals } from '../../stores/terminals'
import { useVolumes } from '../../stores/volumes'
import type { MessagePath } from '../../platform/i18n'

/** A page in the rail and in the command palette. */
export interface NavigationEntry {
  /** The route's name. */
  readonly name: string
  readonly label: MessagePath
  readonly icon: Component
  /** Returns the number of items on the page; null if unknown. */
  count?(): number | null
}

/** Returns the pages in the rail's order. */
export function useNavigation(): readonly NavigationEntry[] {
  const fleet = useFleet()
  const bareMetal = useBareMetal()
  const volumes = useVolumes()
  const terminals = useTerminals()
  return [
    { name: 'overview', label: 'common.navigation.overview', icon: House },
    {
      name: 'machines',
      label: 'common.navigation.machines',
      icon: Server,
      count: () =>
        fleet.status?.asOf === undefined || fleet.status.asOf === null ? null : fleet.machines.size,
    },
    {
      name: 'bare-metal',
      label: 'common.navigation.bareMetal',
      icon: Container,
      count: () => (bareMetal.list.length > 0 ? bareMetal.list.length : null),
    },
    {
      name: 'volumes',
      label: 'common.navigation.volumes',
      icon: HardDrive,
      count: () => ((volumes.status?.asOf ?? null) === null ? null : volumes.volumes.size),
    },
    {
      name: 'terminals',
      label: 'common.navigation.terminals',
      icon: SquareTerminal,
      count: () => (terminals.sessions.length > 0 ? terminals.sessions.length : null),
    },
    { name: 'catalog', label: 'common.navigation.catalog', icon: LayoutGrid },
    { name: 'billing', label: 'common.navigation.billing', icon: ReceiptText },
    { name: 'api-tokens', label: 'common.navigation.apiTokens', icon: KeyRound },
    { name: 'settings', label: 'common.navigation.settings', icon: Settings },
  ]
}
