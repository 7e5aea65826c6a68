import type { CallName } from '../../bridge/index'

/** The part of a call's name before its dot. `app` and `clipboard` among them: every call can fail. */
type Area<Name extends string> = Name extends `${infer Before}.${string}` ? Before : never

/** What was attempted when something on this computer failed, by area of the bridge's calls. */
export const actions = {
  accounts: 'Updating the account',
  activity: 'Reading the activity',
  alerts: 'Updating the alerts',
  apiTokens: 'Updating the API tokens',
  app: 'Starting Wheelhouse',
  balance: 'Reading the balance',
  bareMetal: 'Updating bare metal',
  billing: 'Reading the billing records',
  capabilities: 'Checking what the service offers',
  catalog: 'Reading the catalog',
  clipboard: 'Copying',
  cost: 'Calculating costs',
  creation: 'Creating the machine',
  export: 'Exporting',
  firewall: 'Updating the firewall rules',
  fleet: 'Reading the machines',
  gpu: 'Reading the GPUs',
  idle: 'Checking for idle machines',
  ledger: 'Reading the billing history',
  machine: 'Changing the machine',
  machines: 'Finding machines',
  metrics: 'Reading the metrics',
  notes: 'Saving the note',
  reminders: 'Saving the reminder',
  secret: 'Reading the secret',
  settings: 'Saving the settings',
  ssh: 'Connecting by SSH',
  store: 'Opening the local history',
  volumes: 'Updating the volumes',
} as const satisfies Readonly<Record<Area<CallName>, string>>

type ActionArea = keyof typeof actions
/** An internal name of what was attempted that has words: its area is one of the above. */
export type Action = ActionArea | `${ActionArea}.${string}`
