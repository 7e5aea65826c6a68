export interface FrameOptions {
  /** `sh`: the command is a script for /bin/sh. `login`: it runs in the user's login shell. */
  readonly shell: 'sh' | 'login'
  /** The command reads the input of the channel; otherwise its input is empty. */
  readonly readsInput?: boolean
  /**
   * Prints the exit code and signal on both outputs once the command has ended: the system's ssh returns 255 for its own
   * failures, signals and lost connections, and a background process can hold the channel open after the command.
   */
  readonly reportsEnd?: boolean
}

/**
 * Encodes text as a format of `printf` that bash, dash, zsh, fish, tcsh and busybox ash read alike between single
 * quotes. tcsh expands `!` and rejects line ends there, fish reads backslashes. cmd splits at `&`, `|`, `<` and `>`.
 */
const encoded = (text: string): string =>
  text.replace(/^-|[^\w ./:=,+@~\u0080-\u{10ffff}-]/gu, (character) => {
    const octal = character.charCodeAt(0).toString(8)
    return `\\${octal.padStart(3, '0')}`
  })

const decoded = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** Printed when /bin/sh runs, in case the login shell then rejects the command. */
export const reachedText = (mark: string): string => `${mark} reached`
/** `group`: process group of the command. */
export const begunText = (mark: string, group: string): string => `${mark} begun ${group}`
/** `end`: exit code, and the signal that caused it: "137 KILL". */
export const endedText = (mark: string, end: string): string => `${mark} ended ${end}`

/** First line for the login shell. Kills the shell if nobody reads its output: the caller has given up. */
const beginInShell = (text: string): string =>
  `/bin/sh -c 'trap "" PIPE; echo ${text} && echo ${text} >&2 || kill -KILL $PPID'\n`

/**
 * Adds folders of tools that the PATH of a login without a terminal often lacks: NVIDIA's container images (GKE too),
 * WSL, ROCm, Homebrew, NixOS and the user's own. For a script of /bin/sh.
 */
export const withToolFolders = (script: string): string =>
  `PATH=$PATH:/usr/local/bin:/usr/local/nvidia/bin:/usr/lib/wsl/lib:/opt/rocm/bin:/opt/homebrew/bin:/run/current-system/sw/bin:$HOME/.local/bin; export PATH; ${script}`

function frameScript(mark: string, { shell, readsInput, reportsEnd }: FrameOptions): string {
  const announced = shell === 'sh' ? begunText(mark, '$$') : reachedText(mark)
  const announce = `echo ${announced} && echo ${announced} >&2 || exit`
  const read = `c=$(printf "$2" $$ $$)`
  // With SHLVL=0, bash reads its start-up file as it does for sshd.
  const run = shell === 'sh' ? withToolFolders('eval "$c"') : 'SHLVL=0; exec "${SHELL:-/bin/sh}" -c "$c"'
  const start = readsInput === true ? run : `${run} </dev/null`
  if (reportsEnd !== true) return `${read}; ${announce}; ${start}`
  const ended = endedText(mark, '$s $([ $s -gt 128 ] && kill -l $s)')
  return `${read}; ${announce}; exec 3>&2 2>/dev/null; (${start} 2>&3 3>&-); s=$?; e="${ended}"; echo "$e" >&3; echo "$e"; exit $s`
}

/**
 * Returns the text to send to a machine to run `command`. Start-up files of the login shell may print, so the text
 * prints `mark`, unique to the call, on both outputs just before the command begins. `mark`: letters, digits and
 * dashes.
 */
export function framed(command: string, mark: string, options: FrameOptions): string {
  const first = beginInShell(begunText(mark, '\0'))
  // Each NUL becomes a directive of printf, which fills in the process group.
  const prefix = options.shell === 'sh' ? '' : encoded(first).replaceAll('\\000', '%s')
  const script = encoded(frameScript(mark, options))
  return `exec /bin/sh -c 'eval "$(printf "$1")"' sh '${script}' '${prefix}${encoded(command)}'`
}

export interface Frame {
  readonly command: string
  readonly mark: string
  readonly reportsEnd: boolean
}

/** Parses a text of `framed`. Returns null for any other text. */
export function readFrame(text: string): Frame | null {
  const [, script, body] = /^exec \/bin\/sh -c '[^']*' sh '([^']*)' '([^']*)'$/.exec(text) ?? []
  if (script === undefined || body === undefined) return null
  const plain = decoded(script)
  const [, mark] = /echo (\S+) (?:begun|reached) /.exec(plain) ?? []
  if (mark === undefined) return null
  const command = decoded(body).replace(/^\/bin\/sh -c 'trap[^']*'\n/, '')
  return { command, mark, reportsEnd: plain.includes(endedText(mark, '')) }
}

/** First line that the script of a loop prints. */
export const loopReadyText = 'ready\n'
/** Printed after the output of a script in a loop. The script's error output follows. */
export const loopEndedText = (mark: string): string => `${mark} ended `
/** Printed after the error output of a script in a loop. */
export const loopDoneText = (mark: string): string => `${mark} done\n`

/**
 * Script for a channel that stays open: runs each script that arrives on its input, one after another, until the input
 * ends. Answers with the output, the exit code and the first 64 KB of the error output of each, which the shell holds.
 */
export const scriptLoop = [
  'echo ready; { while read -r mark text; do text=$(printf "$text")',
  // The error output, a space and the exit code.
  'held=$( { code=$( { { (eval "$text") 2>&1 >&3 3>&- 4>&- 5>&- </dev/null; echo $? >&4; } | { head -c 65536 >&5; cat >/dev/null; }; } 4>&1 )',
  'echo " $code"; } 5>&1 )',
  'printf "%s ended %s\\n%s%s done\\n" "$mark" "${held##* }" "${held% *}" "$mark" || exit',
  'done; } 3>&1',
].join('; ')

/** Returns the line that sends a script to `scriptLoop`. `mark`: as for `framed`, unique to the call. */
export const loopRequest = (mark: string, script: string): string => `${mark} ${encoded(script)}\n`

/** Parses a line of `loopRequest`. Returns null for any other text. */
export function readLoopRequest(line: string): { readonly mark: string; readonly script: string } | null {
  const [, mark, text] = /^(\S+) ([^\n]+)$/.exec(line) ?? []
  return mark === undefined || text === undefined ? null : { mark, script: decoded(text) }
}
