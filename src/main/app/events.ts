import { translate } from '#shared/messages/index'
import { restockedText } from '../catalog/restocked-text'
import type { Parts } from './modules'
import { reportFault, type HostEnvironment } from './host-environment'

/** Tells the window, and where it matters the person, what changes in the parts. */
export function forwardEvents(parts: Parts, { push, tell }: Pick<HostEnvironment, 'push' | 'tell'>): void {
  const {
    accounts,
    activity,
    alerts,
    balances,
    bareMetal,
    capabilities,
    costs,
    creation,
    fleet,
    gpus,
    ledger,
    notes,
    reminders,
    store,
    volumes,
    watches,
  } = parts

  accounts.onChange((view) => push('accounts.changed', view))
  activity.onAdded((added) => push('activity.added', added))
  alerts.onChange((account, shown) => push('alerts.changed', { account, alerts: shown }))
  balances.onChange((account, balance) => push('balance.changed', { account, balance }))
  capabilities.onChange((account, known) => push('capabilities.changed', { account, capabilities: known }))
  costs.spending.onChange((view) => push('cost.changed', view))
  fleet.onChange((change) => push('fleet.changed', change))
  fleet.onGone(({ account, machines, expected }) => {
    const ids = machines.map(({ id }) => id)
    void notes.forget(account, ids).catch(reportFault('notes.forget'))
    void reminders.forget(account, ids).catch(reportFault('reminders.forget'))
    void gpus.forget(account, ids).catch(reportFault('gpus.forget'))
    if (!expected)
      push('machines.gone', { account, machines: machines.map(({ id, name }) => ({ id, name })) })
  })
  gpus.telemetry.onChange((view) => push('gpu.changed', view))
  gpus.idle.onChange((account, machines) => push('idle.changed', { account, machines }))
  ledger.onChange((state) => push('ledger.changed', state))
  store.onChange((state) => push('store.changed', state))
  notes.onChange((account, kept) => push('notes.changed', { account, notes: kept }))
  reminders.onChange((account, kept) => push('reminders.changed', { account, reminders: kept }))
  volumes.onChange((change) => push('volumes.changed', change))
  volumes.onOpenChange((account, open, found) => push('volumes.openChanged', { account, open, found }))
  bareMetal.onChange((change) => push('bareMetal.changed', change))
  watches.onChange((change) => {
    push('catalog.watchesChanged', change)
    const account = accounts.view().accounts.find(({ id }) => id === change.account)?.label ?? ''
    for (const watch of change.restocked) {
      tell(restockedText(watch, account, translate), {
        page: 'catalog',
        account: change.account,
        kind: watch.kind,
        find: watch.name,
      })
    }
  })
  creation.onChange((account, creations) => push('creation.changed', { account, creations }))
}
