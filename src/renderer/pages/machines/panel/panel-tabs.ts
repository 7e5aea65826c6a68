import type { Component } from 'vue'
import type { MessagePath } from '../../../platform/i18n'
import CheckUpTab from '../../../features/check-up/CheckUpTab.vue'
import ConnectionTab from '../../../features/connection/ConnectionTab.vue'
import FilesTab from '../../../features/files/FilesTab.vue'
import GpuTab from '../../../features/gpu/GpuTab.vue'
import JobsTab from '../../../features/jobs/JobsTab.vue'
import ServicesTab from '../../../features/tunnels/ServicesTab.vue'
import CostTab from './CostTab.vue'
import FirewallTab from './firewall/FirewallTab.vue'
import MetricsTab from './MetricsTab.vue'
import NotesTab from './NotesTab.vue'
import VolumesTab from './VolumesTab.vue'

/** A tab of the machine panel. Its component has the properties `account` and `machine`. */
interface PanelTab {
  readonly id: string
  readonly label: MessagePath
  readonly component: Component
}

export const panelTabs: readonly [PanelTab, ...PanelTab[]] = [
  { id: 'connection', label: 'machines.panel.tabs.connection', component: ConnectionTab },
  { id: 'services', label: 'tunnels.tab', component: ServicesTab },
  { id: 'files', label: 'files.tab', component: FilesTab },
  { id: 'metrics', label: 'metrics.tab', component: MetricsTab },
  { id: 'gpu', label: 'gpu.tab', component: GpuTab },
  { id: 'check-up', label: 'checkUp.tab', component: CheckUpTab },
  { id: 'jobs', label: 'jobs.title', component: JobsTab },
  { id: 'firewall', label: 'machines.panel.tabs.firewall', component: FirewallTab },
  { id: 'volumes', label: 'machines.panel.tabs.volumes', component: VolumesTab },
  { id: 'cost', label: 'billing.tab.label', component: CostTab },
  { id: 'notes', label: 'notes.tab', component: NotesTab },
]
