/** An option of a command. */
interface Option {
  /** Word for its value in the help; null for a switch. */
  readonly value: string | null
  /** Key of its text under `commandLine.options`. */
  readonly text: string
}

/** Options of single commands by their name. */
const options = {
  anyway: { value: null, text: 'anyway' },
  'yes-delete': { value: 'NAME', text: 'deletes' },
  'lose-work': { value: null, text: 'loseWork' },
  at: { value: 'TIME', text: 'at' },
  after: { value: 'DURATION', text: 'after' },
  idle: { value: 'DURATION', text: 'idle' },
  budget: { value: 'AMOUNT', text: 'endBudget' },
  stop: { value: null, text: 'endStop' },
  delete: { value: 'NAME', text: 'endDelete' },
  cancel: { value: null, text: 'cancel' },
  template: { value: 'NAME', text: 'template' },
  flavor: { value: 'NAME', text: 'flavor' },
  image: { value: 'NAME', text: 'image' },
  key: { value: 'NAME', text: 'key' },
  region: { value: 'NAME', text: 'region' },
  count: { value: 'NUMBER', text: 'count' },
  'init-script': { value: 'FILE', text: 'initScript' },
  'max-per-hour': { value: 'AMOUNT', text: 'maxPerHour' },
  wait: { value: null, text: 'wait' },
  yes: { value: null, text: 'yes' },
  'show-secret': { value: null, text: 'showSecret' },
  follow: { value: null, text: 'follow' },
  'when-done': { value: 'JOB', text: 'whenDone' },
} as const satisfies Readonly<Record<string, Option>>
export type OptionName = keyof typeof options

const rows: { readonly [Name in OptionName]: Option } = options
export const optionOf = (name: OptionName): Option => rows[name]

/** Returns an option as in the help: `--anyway` or `--yes-delete NAME`. */
export function optionWords(name: OptionName): string {
  const { value } = optionOf(name)
  return value === null ? `--${name}` : `--${name} ${value}`
}
