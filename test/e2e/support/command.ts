import { execFile } from 'node:child_process'

/** Returns the output of a program for `input`; rejects if it fails or takes longer than so many seconds. */
export const run = (program: string, args: readonly string[], input = '', seconds = 60): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { timeout: seconds * 1000, maxBuffer: 32 * 1024 * 1024 }
    const child = execFile(program, args, options, (error, stdout) => {
      if (error) reject(new Error(error.message, { cause: error }))
      else resolve(stdout)
    })
    // A program may end without reading its input; its exit code shows whether that matters.
    child.stdin?.on('error', () => child.stdin?.destroy()).end(input)
  })

export const output = (program: string, ...args: readonly string[]): Promise<string> => run(program, args)
