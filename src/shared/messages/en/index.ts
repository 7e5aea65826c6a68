import { accounts } from './accounts'
import { alerts } from './alerts'
import { apiTokens } from './api-tokens'
import { bareMetal } from './bare-metal'
import { billing } from './billing'
import { catalog } from './catalog'
import { charts, metrics } from './metrics'
import { common } from './common'
import { creation } from './creation'
import { desktop } from './desktop'
import { exports } from './exports'
import { failures } from './failures'
import { firewall } from './firewall'
import { gpu, idle } from './gpu'
import { machineActions } from './machine-actions'
import { machines } from './machines'
import { networkAccess } from './network-access'
import { notes } from './notes'
import { overview } from './overview'
import { reminders } from './reminders'
import { settings } from './settings'
import { ssh } from './ssh'
import { store } from './store'
import { terminal } from './terminal'
import { updates } from './updates'
import { volumes } from './volumes'
import { waste } from './waste'

/** Every word that a person reads, in English. One file per area; interpolation as vue-i18n does it. */
export const en = {
  common,
  accounts,
  alerts,
  apiTokens,
  bareMetal,
  billing,
  catalog,
  charts,
  machines,
  gpu,
  idle,
  machineActions,
  metrics,
  networkAccess,
  notes,
  overview,
  reminders,
  creation,
  ssh,
  settings,
  store,
  exports,
  failures,
  desktop,
  firewall,
  terminal,
  updates,
  volumes,
  waste,
} as const
