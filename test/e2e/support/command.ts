import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** What a program prints; rejects with its complaint where it fails or takes longer than ten seconds. */
export const output = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await execute(program, args, { timeout: 10_000, maxBuffer: 32 * 1024 * 1024 })).stdout
