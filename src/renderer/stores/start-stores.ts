import { useAccounts } from './accounts'
import { useActivity } from './activity'
import { useAgents } from './agents'
import { useAlerts } from './alerts'
import { useApp } from './app'
import { useArmedCreations } from './armed-creations'
import { useAskpass } from './askpass'
import { useBalance } from './balance'
import { useBareMetal } from './bare-metal'
import { useBillingJobs } from './billing-jobs'
import { useCapabilities } from './capabilities'
import { useCatalog } from './catalog'
import { useEndRules } from './end-rules'
import { useFiles } from './files'
import { useFleet } from './fleet'
import { useIdle } from './idle'
import { useJobs } from './jobs'
import { useListViews } from './list-views'
import { useLocalStore } from './local-store'
import { useNetworkAccess } from './network-access'
import { useNotes } from './notes'
import { useNotifications } from './notifications'
import { useReminders } from './reminders'
import { useSpending } from './spending'
import { useTemplates } from './templates'
import { useTerminals } from './terminals'
import { useTunnels } from './tunnels'
import { useUpdates } from './updates'
import { useVolumes } from './volumes'
import { useWaste } from './waste'

/**
 * Starts the stores that the first paint needs. The fleet is read as soon as the accounts are known; before it the views
 * of lists, so that no list moves after its first paint.
 */
export async function startFirstStores(): Promise<void> {
  useListViews().start()
  useFleet().start()
  const first = [useApp, useAccounts, useLocalStore, useNetworkAccess]
  await Promise.all(first.map((useStore) => useStore().start()))
}

export function startOtherStores(): void {
  const stores = [
    useIdle,
    useSpending,
    useAlerts,
    useBalance,
    useActivity,
    useVolumes,
    useCapabilities,
    useNotes,
    useNotifications,
    useReminders,
    useEndRules,
    useArmedCreations,
    useTemplates,
    useJobs,
    useCatalog,
    useBareMetal,
    useBillingJobs,
    useWaste,
    useTerminals,
    useTunnels,
    useFiles,
    useUpdates,
    useAskpass,
    useAgents,
  ]
  for (const useStore of stores) useStore().start()
}
