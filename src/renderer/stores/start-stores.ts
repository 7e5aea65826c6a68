import { useAccounts } from '../stores/accounts'
import { useActivity } from '../stores/activity'
import { useAlerts } from '../stores/alerts'
import { useApp } from '../stores/app'
import { useBalance } from '../stores/balance'
import { useBareMetal } from '../stores/bare-metal'
import { useBillingJobs } from '../stores/billing-jobs'
import { useCapabilities } from '../stores/capabilities'
import { useCatalog } from '../stores/catalog'
import { useFleet } from '../stores/fleet'
import { useIdle } from '../stores/idle'
import { useLocalStore } from '../stores/local-store'
import { useNotes } from '../stores/notes'
import { useReminders } from '../stores/reminders'
import { useSpending } from '../stores/spending'
import { useVolumes } from '../stores/volumes'

/** Starts the stores as app/App.vue does. */
export async function startStores(): Promise<void> {
  await Promise.all([useApp().start(), useAccounts().start(), useLocalStore().start()])
  const stores = [useFleet, useIdle, useSpending, useAlerts, useBalance, useActivity, useVolumes]
  const others = [useCapabilities, useNotes, useReminders, useCatalog, useBareMetal, useBillingJobs]
  for (const useStore of [...stores, ...others]) useStore().start()
}
