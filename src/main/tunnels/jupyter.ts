import { z } from 'zod'
import type { SshConnection } from '../ssh/client/transport'
import type { LocalPage } from './local-page'

const maxTextLength = 512

/** Running server in Jupyter's list and in its runtime files. */
const Server = z.object({
  port: z.int(),
  token: z.string().max(maxTextLength),
  secure: z.boolean().catch(false),
  url: z.string().max(maxTextLength).catch(''),
  base_url: z.string().max(maxTextLength).startsWith('/').catch('/'),
})

/**
 * Prints the runtime files of servers, the newest first. Folders of jupyter_core 5 (`jupyter_runtime_dir`); versions before
 * 4.5 used XDG_RUNTIME_DIR. A killed server leaves its file.
 */
const printFiles = [
  'for folder in "$JUPYTER_RUNTIME_DIR" "${JUPYTER_DATA_DIR:+$JUPYTER_DATA_DIR/runtime}"',
  '"${XDG_DATA_HOME:+$XDG_DATA_HOME/jupyter/runtime}" "$HOME/.local/share/jupyter/runtime"',
  '"${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/jupyter}"; do',
  '[ -z "$folder" ] || ( cd "$folder" && ls -t | while IFS= read -r file; do',
  'case "$file" in jpserver-*.json | nbserver-*.json) cat "$file" ;; esac; done ); done',
].join(' ')

const commands = ['jupyter server list --json', printFiles] as const

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Page = Omit<LocalPage, 'port'>

/** Parses the servers on `port` in a sequence of flat JSON objects. Pure. */
function jupyterPages(text: string, port: number): readonly Page[] {
  return [...text.matchAll(/\{[^{}]*\}/g)].flatMap(([json]): readonly Page[] => {
    const server = Server.safeParse(parsed(json))
    if (!server.success || server.data.port !== port) return []
    const { base_url: path, token, secure, url } = server.data
    const isSecure = secure || url.startsWith('https://')
    return [{ path, token: token === '' ? null : token, ...(isSecure && { secure: true }) }]
  })
}

export const jupyterPage = (text: string, port: number): Page | undefined => jupyterPages(text, port)[0]

/**
 * Returns the start page of Jupyter on `port` of the machine, with its token; undefined if no server is listed. Jupyter's list
 * is unordered, and contains a killed server if another process has its id: the newest file decides between several.
 */
export async function findJupyter(exec: SshConnection['exec'], port: number): Promise<Page | undefined> {
  let listed: Page | undefined
  for (const command of commands) {
    const outcome = await exec(command)
    const [first, ...others] = outcome.kind === 'finished' ? jupyterPages(outcome.stdout, port) : []
    if (first && (others.length === 0 || command === printFiles)) return first
    listed ??= first
  }
  return listed
}
