import { randomBytes } from 'node:crypto'
import { withToolFolders } from '#shared/command-frame'
import { KeptName, noKeeper } from '#shared/bridge/terminal'

/** A name that no other session has. */
export const newKeptName = (): string => `wheelhouse-${randomBytes(4).toString('hex')}`

/** In the one shell that every machine has, whichever the person's is. `script` has no single quotes. */
const inSh = (script: string): string => `exec /bin/sh -c '${script}'`

/** Sessions are those of tmux, or of screen on a machine without tmux. */
const withTool = (tmux: string, screen: string, neither: string): string =>
  `if command -v tmux >/dev/null 2>&1; then ${tmux}; elif command -v screen >/dev/null 2>&1; then ${screen}; else ${neither}; fi`

/**
 * Attaches to the session of this name, or begins it. A client that was cut off is let go of: it would keep its size.
 * `-u`, `-U`: UTF-8, although the machine has no LANG; tmux 3.3 shows `_` for other letters then.
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
 * Script that lists every session of the user, and prints the tool's errors too. Lines of tmux end in the start (epoch
 * seconds) and the number of clients.
 */
export const listCommand = withTool(
  'echo tmux; tmux list-sessions -F "#{session_name} #{session_created} #{session_attached}" 2>&1',
  'echo screen; screen -ls 2>&1',
  'echo none; echo "$PATH"',
)
