import type { CallName } from '../../bridge/index'
import type { later } from './later'

/** The part of a call's name before its dot, including `app` and `clipboard`: every call can fail. */
type Area<Name extends string> = Name extends `${infer Before}.${string}` ? Before : never

/** Message areas with their own text `attempt`, for the calls with the same name. */
type OwnAction = {
  [Name in keyof typeof later]: (typeof later)[Name] extends { readonly attempt: string } ? Name : never
}[keyof typeof later]

/**
 * Attempts whose failure on this computer is reported, by area of the bridge's calls. An area of later messages may
 * have its own text `attempt` instead, if its calls cannot fail before these messages are loaded.
 */
export const actions = {
  accounts: 'Updating the account',
  activity: 'Loading activity',
  alerts: 'Updating alerts',
  apiTokens: 'Updating API tokens',
  app: 'Starting Wheelhouse',
  askpass: 'Answering SSH',
  balance: 'Loading the balance',
  bareMetal: 'Updating bare metal',
  billing: 'Loading billing records',
  capabilities: 'Checking what the service supports',
  catalog: 'Loading the catalog',
  clipboard: 'Copying',
  cost: 'Calculating costs',
  creation: 'Creating the machine',
  export: 'Exporting',
  files: 'Loading files',
  fleet: 'Loading machines',
  gpu: 'Reading GPUs',
  idle: 'Checking for idle machines',
  ledger: 'Loading billing history',
  listViews: 'Saving the state of the list',
  loginItem: 'Opening at login',
  machine: 'Updating the machine',
  machines: 'Finding machines',
  metrics: 'Loading metrics',
  networkAccess: 'Changing network settings',
  notifications: 'Sending a notification',
  notes: 'Saving the note',
  plans: 'Setting up the machine',
  process: 'Ending a process',
  reminders: 'Saving the reminder',
  secret: 'Reading the secret',
  settings: 'Saving settings',
  ssh: 'Connecting over SSH',
  sshAliases: 'Updating SSH aliases',
  store: 'Opening the local history',
  terminal: 'Using a terminal',
  tunnel: 'Loading forwarded ports',
  updates: 'Updating Wheelhouse',
  volumes: 'Updating volumes',
  waste: 'Finding waste',
} as const satisfies Readonly<Record<Exclude<Area<CallName>, OwnAction>, string>>

type ActionArea = keyof typeof actions | OwnAction
/** Internal name of an attempt with a text: its area is listed above. */
export type Action = ActionArea | `${ActionArea}.${string}`
