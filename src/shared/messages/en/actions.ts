import type { CallName } from '../../bridge/index'

/** The part of a call's name before its dot. `app` and `clipboard` among them: every call can fail. */
type Area<Name extends string> = Name extends `${infer Before}.${string}` ? Before : never

/** What was attempted when something on this computer failed, by area of the bridge's calls. */
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
  editors: 'Opening an editor',
  export: 'Exporting',
  files: 'Loading files',
  firewall: 'Updating firewall rules',
  fleet: 'Loading machines',
  gpu: 'Reading GPUs',
  idle: 'Checking for idle machines',
  ledger: 'Loading billing history',
  machine: 'Updating the machine',
  machines: 'Finding machines',
  metrics: 'Loading metrics',
  networkAccess: 'Changing network settings',
  notes: 'Saving the note',
  reminders: 'Saving the reminder',
  secret: 'Reading the secret',
  settings: 'Saving settings',
  ssh: 'Connecting over SSH',
  sshAliases: 'Updating SSH aliases',
  sshKeys: 'Using SSH keys',
  store: 'Opening the local history',
  terminal: 'Using a terminal',
  tunnel: 'Loading forwarded ports',
  updates: 'Updating Wheelhouse',
  volumes: 'Updating volumes',
  waste: 'Finding waste',
} as const satisfies Readonly<Record<Area<CallName>, string>>

type ActionArea = keyof typeof actions
/** An internal name of what was attempted that has words: its area is one of the above. */
export type Action = ActionArea | `${ActionArea}.${string}`
