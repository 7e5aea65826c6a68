// npm run cli -- COMMAND: the command line of the built application (npm run build), docs/command-line.md.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { electronEnvironment, launchArguments } from './launch.mjs'
import { runHere } from './processes.mjs'
import { root, runScript, setUp } from './setup.mjs'

await runScript(import.meta.url, async () => {
  if (!existsSync(join(root, 'out/main/command-line.cjs')))
    throw new Error('The application is not built yet: npm run build')
  const { program } = await setUp()
  const launch = await launchArguments(program)
  if ('problem' in launch) throw new Error(launch.problem)
  const env = electronEnvironment(process.env)
  return runHere(program, [root, ...launch.args, '--cli', ...process.argv.slice(2)], { env })
})
