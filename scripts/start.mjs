// npm start: builds the application and opens it. npm run dev (--watch): the same, rebuilding as files
// change.
import { join } from 'node:path'
import { electronEnvironment, launchArguments, noDisplay } from './launch.mjs'
import { runHere } from './processes.mjs'
import { root, runScript, say, setUp } from './setup.mjs'

await runScript(import.meta.url, async () => {
  const watch = process.argv.includes('--watch')
  const args = process.argv.slice(2).filter((argument) => argument !== '--watch')

  const displayProblem = noDisplay(process.env, process.platform)
  if (displayProblem) throw new Error(displayProblem)
  const { program } = await setUp()
  const launch = await launchArguments(program)
  if ('problem' in launch) throw new Error(launch.problem)
  if (launch.warning) say(launch.warning)

  const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const env = electronEnvironment(process.env)
  if (watch) {
    return runHere(process.execPath, [electronVite, 'dev', '--watch', '--', ...launch.args, ...args], {
      cwd: root,
      env: { ...env, ELECTRON_EXEC_PATH: program },
    })
  }
  const built = await runHere(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    env,
  })
  return built === 0 ? runHere(program, [root, ...launch.args, ...args], { cwd: root, env }) : built
})
