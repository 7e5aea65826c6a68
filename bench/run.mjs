// npm run bench -- NAME: measures one thing, bench/NAME.ts, and prints one line of JSON at the end.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDesktop } from '../scripts/desktop-session.mjs'
import { electronEnvironment, launchArguments } from '../scripts/launch.mjs'
import { runHere } from '../scripts/processes.mjs'
import { root, runScript, setUp } from '../scripts/setup.mjs'

/** Those that need the application's own window. */
const inWindow = new Set(['chart', 'list'])

await runScript(import.meta.url, async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const file = join(root, 'bench', `${name}.ts`)
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
    const names = readdirSync(join(root, 'bench')).flatMap(
      (entry) => /^([a-z-]+)\.ts$/.exec(entry)?.[1] ?? [],
    )
    throw new Error(`Which benchmark? npm run bench -- ${names.join(' | ')}`)
  }
  const command = ['--import', 'tsx', file, ...args]
  if (!inWindow.has(name)) return runHere(process.execPath, command, { cwd: root, env: process.env })

  const program = process.env.ELECTRON_EXEC_PATH ?? (await setUp()).program
  const launch = await launchArguments(program)
  if ('problem' in launch) throw new Error(launch.problem)
  const env = { ...electronEnvironment(process.env), ELECTRON_EXEC_PATH: program }
  if (process.platform !== 'linux') return runHere(process.execPath, command, { cwd: root, env })
  const desktop = await openDesktop(env)
  try {
    return await runHere(process.execPath, command, { cwd: root, env: desktop.env })
  } finally {
    await desktop.close()
  }
})
