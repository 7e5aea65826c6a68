import { logFileFunction } from './job-script'

/** Longest report of cloud-init that is read, in bytes. */
const maxStatusBytes = 16_384

/** File with the output of cloud-init's modules and of the init script. */
export const setUpLogPath = '/var/log/cloud-init-output.log'

/** Folder with the state of cloud-init. */
export const setUpFolder = '/run/cloud-init'

/** Functions in POSIX sh that the question about a machine's set-up calls. */
export const setUpFunctions = `# Wheelhouse: set-up
${logFileFunction}
# Prints the report of cloud-init with its exit status, and the end of its log if it reports errors or "log" is asked for.
set_up() {
  exec 3>&1
  code=$({ { cloud-init status --long </dev/null 2>/dev/null; echo $? >&4; } | head -c ${String(maxStatusBytes)} >&3; } 4>&1)
  # Before 23.4, cloud-init reports an error as its state while it still runs.
  if [ -e ${setUpFolder}/status.json ] && [ ! -e ${setUpFolder}/result.json ]; then end=' unfinished'; else end=; fi
  printf '\\nexit %s%s\\n' "$code" "$end"
  case $1$code in 1 | 2 | log*) log_file ${setUpLogPath} ;; esac
  printf '\\nend\\n'
}`

const calls = { status: `${setUpFunctions}\nset_up`, log: `${setUpFunctions}\nset_up log` } as const

/** Returns the question about a machine's set-up. `hasLog`: with the end of its log in any case. Pure. */
export const setUpScript = (hasLog: boolean): string => calls[hasLog ? 'log' : 'status']

/** Returns whether a script asks for the log; null if it is not about the set-up. Pure. */
export function readSetUpScript(script: string): { readonly hasLog: boolean } | null {
  return script === calls.log || script === calls.status ? { hasLog: script === calls.log } : null
}
