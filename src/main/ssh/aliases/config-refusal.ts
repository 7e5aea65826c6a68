import { execFile } from 'node:child_process'
import { oneLine } from '../../core/one-line'

/** Milliseconds in which ssh reads a configuration; with one that looks up names it may take longer. */
const readsWithin = 3_000
const isAboutConfig = /: line \d+|bad configuration option/i

/** What ssh says of a configuration that it does not take; null: it takes it, or says nothing in time. Never rejects. */
export const complaintOf = (ssh: string, config: string, env: NodeJS.ProcessEnv): Promise<string | null> =>
  new Promise((resolve) => {
    const settings = { env, timeout: readsWithin, windowsHide: true }
    execFile(ssh, ['-F', config, '-G', 'localhost'], settings, (error, _stdout, stderr) =>
      resolve(error && stderr ? stderr : null),
    )
  })

/** The line in which ssh refuses a configuration as a whole; null: it takes it, or does not say. Never rejects. */
export async function refusalOf(ssh: string, config: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // Warnings may stand before it.
  const refusal = (await complaintOf(ssh, config, env))?.split('\n').find((line) => isAboutConfig.test(line))
  return refusal ? oneLine(refusal) : null
}
