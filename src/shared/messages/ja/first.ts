import { accounts } from './accounts'
import { alerts } from './alerts'
import { charts, metrics } from './metrics'
import { common } from './common'
import { creation } from './creation'
import { exports } from './exports'
import { failures } from './failures'
import { idle } from './idle'
import { machineActions } from './machine-actions'
import { machines } from './machines'
import { ssh } from './ssh'
import { store } from './store'
import { waste } from './waste'
import { overview } from './overview'
import { networkAccess } from './network-access'
import { settings } from './settings'

/** Texts of the window's first paint: its frame, the list of machines, signing in, and failures. */
export const first = {
  accounts,
  alerts,
  charts,
  metrics,
  common,
  creation,
  exports,
  failures,
  idle,
  machineActions,
  machines,
  ssh,
  store,
  waste,
  overview,
  networkAccess,
  settings,
} as const
