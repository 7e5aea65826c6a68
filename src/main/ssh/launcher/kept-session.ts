import { randomBytes } from 'node:crypto'
import { withToolFolders } from '#shared/command-frame'
import { KeptName, noKeeper } from '#shared/bridge/terminal'

/** Returns a unique session name. */
export const newKeptName = (): string => `wheelhouse-${randomBytes(4).toString('hex')}`

/** Runs a script without single quotes in /bin/sh, whatever the user's login shell is. */
const inSh = (script: string): string => `exec /bin/sh -c '${script}'`

/** Chooses between tmux, screen and neither. */
const withTool = (tmux: string, screen: string, neither: string): string =>
  `if command -v tmux >/dev/null 2>&1; then ${tmux}; elif command -v screen >/dev/null 2>&1; then ${screen}; else ${neither}; fi`

/**
 * Attaches to the session of this name, or starts it. Detaches lost clients, which would dictate the size. `-u`, `-U`: UTF-8
 * also without LANG, since tmux 3.3 would print `_` for non-ASCII letters.
 */
export const keepCommand = (name: string): string =>
  inSh(
    withToolFolders(
      withTool(
        `exec tmux -u new-session -A -D -s ${KeptName.parse(name)}`,
        `exec screen -U -D -R -S ${KeptName.parse(name)}`,
        `exit ${noKeeper}`,
      ),
    ),
  )

/**
 * Script that lists every session of the user, including errors of the tool. Lines of tmux end with the start (epoch
 * seconds) and the number of clients.
 */
export const listCommand = withTool(
  'echo tmux; tmux list-sessions -F "#{session_name} #{session_created} #{session_attached}" 2>&1',
  'echo screen; screen -ls 2>&1',
  'echo none; echo "$PATH"',
)
