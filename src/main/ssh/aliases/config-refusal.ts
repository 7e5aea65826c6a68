import { execFile } from 'node:child_process'
import { oneLine } from '../../core/one-line'

/** Milliseconds in which ssh reads a configuration; with one that looks up names it may take longer. */
const readsWithin = 3_000
const isAboutConfig = /: line \d+|bad configuration option/i

/** What ssh says of a configuration that it refuses as a whole; null: it takes it, or does not say. Never rejects. */
export const refusalOf = (ssh: string, config: string, env: NodeJS.ProcessEnv): Promise<string | null> =>
  new Promise((resolve) => {
    const settings = { env, timeout: readsWithin, windowsHide: true }
    execFile(ssh, ['-F', config, '-G', 'localhost'], settings, (error, _stdout, stderr) => {
      // Warnings may stand before it.
      const refusal = error && stderr.split('\n').find((line) => isAboutConfig.test(line))
      resolve(refusal ? oneLine(refusal) : null)
    })
  })
