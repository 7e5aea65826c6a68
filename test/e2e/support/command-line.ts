import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandAddress } from '../../../src/shared/bridge/command-line'
import { commandAddressFile } from '../../../src/shared/command-address'
import { outputRows, type Output, type OutputName } from '../../../src/main/command-line/output'
import { root, screenSwitches } from './application'

/** Result of one run of the command line. */
export interface Ran {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

function applicationArguments(userData: string): readonly string[] {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return [root, `--user-data-dir=${userData}`, ...sandbox, ...screenSwitches]
}

/** Starts the built application with further arguments and waits for its end. */
export const runApplication = (
  userData: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const program = process.env['ELECTRON_EXEC_PATH']
    if (program === undefined) return reject(new Error('ELECTRON_EXEC_PATH is not set; run npm test'))
    const child = spawn(program, [...applicationArguments(userData), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (data) => (output += String(data)))
    child.stderr.on('data', (data) => (errors += String(data)))
    child.on('error', reject)
    // Not `close`: an application that it started may hold its standard error.
    child.on('exit', (code) => setImmediate(() => resolve({ code, output, errors })))
  })

/** The environment without a display. */
const withoutDisplay = (): NodeJS.ProcessEnv => {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  return env
}

/** Runs one command of the command line. */
export const wheelhouse = (
  userData: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = withoutDisplay(),
): Promise<Ran> => runApplication(userData, ['--cli', ...words], env)

/** Runs a command with --json and returns its output, checked with its schema. */
export async function jsonOf<Name extends OutputName>(
  userData: string,
  name: Name,
  ...words: readonly string[]
): Promise<Output<Name>> {
  const { code, output, errors } = await wheelhouse(userData, [name, ...words, '--json'])
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${output}${errors}`)
  return outputRows[name].parse(JSON.parse(output))
}

/** The process that answers the command line. */
export function listeningProcess(userData: string): number {
  const file = readFileSync(join(userData, commandAddressFile), 'utf8')
  const { path } = CommandAddress.parse(JSON.parse(file))
  return Number(/wheelhouse-cli-(\d+)-/.exec(path)?.[1])
}

/** Runs the MCP server of a program with the official client, until the client is closed. */
export async function agentClientOf(program: string, args: readonly string[], name: string): Promise<Client> {
  const env = Object.entries(withoutDisplay()).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StdioClientTransport({ command: program, args: [...args], env: Object.fromEntries(env) }),
  )
  return client
}

/** Runs the MCP server of the built application with the official client. */
export async function agentClient(userData: string, name: string): Promise<Client> {
  const program = process.env['ELECTRON_EXEC_PATH']
  if (program === undefined) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
  return agentClientOf(program, [...applicationArguments(userData), '--cli', 'mcp'], name)
}
