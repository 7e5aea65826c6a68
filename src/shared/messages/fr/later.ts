import { agents } from './agents'
import { apiTokens } from './api-tokens'
import { askpass, secrets } from './askpass'
import { bareMetal } from './bare-metal'
import { billing } from './billing'
import { armedCreations, catalog } from './catalog'
import { checkUp } from './check-up'
import { commandLine } from './command-line'
import { commands } from './commands'
import { desktop } from './desktop'
import { editors } from './editors'
import { endRules } from './end-rules'
import { files } from './files'
import { firewall } from './firewall'
import { gpu } from './gpu'
import { gpus } from './gpus'
import { jobs } from './jobs'
import { lastLook } from './last-look'
import { notes } from './notes'
import { notifications } from './notifications'
import { reminders } from './reminders'
import { sshAliases } from './ssh-aliases'
import { sshConsent } from './ssh-consent'
import { sshKeys } from './ssh-keys'
import { templates } from './templates'
import { terminal } from './terminal'
import { tunnels } from './tunnels'
import { updates } from './updates'
import { volumes } from './volumes'

/** Texts that no first paint needs; the window loads them afterwards. */
export const later = {
  agents,
  apiTokens,
  armedCreations,
  askpass,
  bareMetal,
  billing,
  catalog,
  checkUp,
  commandLine,
  commands,
  desktop,
  editors,
  endRules,
  files,
  firewall,
  gpu,
  gpus,
  jobs,
  lastLook,
  notes,
  notifications,
  reminders,
  secrets,
  sshAliases,
  sshConsent,
  sshKeys,
  templates,
  terminal,
  tunnels,
  updates,
  volumes,
} as const
