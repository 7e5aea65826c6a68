import { execFile } from 'node:child_process'
import { oneLine } from '../../core/one-line'

/** Limit for `ssh -G`, which may look up names. */
const readTimeoutMs = 3_000
const isAboutConfig = /: line \d+|bad configuration option/i

/** Returns the error output of ssh for a configuration that it refuses; null: none in time. Never rejects. */
export const complaintOf = (ssh: string, config: string, env: NodeJS.ProcessEnv): Promise<string | null> =>
  new Promise((resolve) => {
    const settings = { env, timeout: readTimeoutMs, windowsHide: true }
    execFile(ssh, ['-F', config, '-G', 'localhost'], settings, (error, _stdout, stderr) =>
      resolve(error && stderr ? stderr : null),
    )
  })

/** Returns the line in which ssh refuses a configuration; null: none. Never rejects. */
export async function refusalOf(ssh: string, config: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // Warnings may come first.
  const refusal = (await complaintOf(ssh, config, env))?.split('\n').find((line) => isAboutConfig.test(line))
  return refusal ? oneLine(refusal) : null
}
