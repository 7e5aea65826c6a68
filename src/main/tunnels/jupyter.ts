import { z } from 'zod'
import type { SshConnection } from '../ssh/client/transport'
import type { LocalPage } from './local-page'

const longest = 512

/** What Jupyter says of a running server, in its list and in its runtime files. */
const Server = z.object({
  port: z.int(),
  token: z.string().max(longest),
  secure: z.boolean().catch(false),
  url: z.string().max(longest).catch(''),
  base_url: z.string().max(longest).startsWith('/').catch('/'),
})

/**
 * Prints the runtime files of servers, by the folders of jupyter_core 5 (`jupyter_runtime_dir`), and of versions before 4.5,
 * which used XDG_RUNTIME_DIR.
 */
const printFiles = [
  'for folder in "$JUPYTER_RUNTIME_DIR" "${JUPYTER_DATA_DIR:+$JUPYTER_DATA_DIR/runtime}"',
  '"${XDG_DATA_HOME:+$XDG_DATA_HOME/jupyter/runtime}" "$HOME/.local/share/jupyter/runtime"',
  '"${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/jupyter}"; do',
  '[ -z "$folder" ] || cat "$folder"/jpserver-*.json "$folder"/nbserver-*.json; done',
].join(' ')

const commands = ['jupyter server list --json', printFiles] as const

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The server on `port` in flat JSON objects one after the other. Pure. */
export function jupyterPage(text: string, port: number): Omit<LocalPage, 'port'> | undefined {
  for (const [json] of text.matchAll(/\{[^{}]*\}/g)) {
    const server = Server.safeParse(parsed(json))
    if (!server.success || server.data.port !== port) continue
    const { base_url: path, token, secure, url } = server.data
    const isSecure = secure || url.startsWith('https://')
    return { path, token: token === '' ? null : token, ...(isSecure && { secure: true }) }
  }
  return undefined
}

/** Where Jupyter on `port` of the machine begins, with its token; undefined where the machine knows of none. */
export async function findJupyter(
  exec: SshConnection['exec'],
  port: number,
): Promise<Omit<LocalPage, 'port'> | undefined> {
  for (const command of commands) {
    const outcome = await exec(command)
    const found = outcome.kind === 'finished' ? jupyterPage(outcome.stdout, port) : undefined
    if (found) return found
  }
  return undefined
}
