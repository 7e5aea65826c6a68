import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { systemTerminal } from './system-terminal'

const tsx = createRequire(import.meta.url).resolve('tsx')
const module = join(import.meta.dirname, 'system-terminal.ts')

/** Runs a line of code with the terminal of another process, whose output a shell command reads. */
const runIn = async (code: string, reader: string): Promise<string> => {
  const program = `import { systemTerminal } from ${JSON.stringify(module)}
const terminal = systemTerminal(process.env)
try { ${code} } catch (error) { process.stderr.write(error.name) }`
  const shell = `"$NODE" --import "$TSX" --input-type=module -e "$CODE" 2>&3 | ${reader}`
  const env = { ...process.env, NODE: process.execPath, TSX: tsx, CODE: program }
  const { stdout } = await promisify(execFile)('bash', ['-c', `{ ${shell}; } 3>&1`], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

it('a slow reader gets all output', async () => {
  const counted = await runIn("terminal.print('x'.repeat(999_999))", '{ sleep 0.2; wc -c; }')
  expect(counted.trim()).toBe('1000000')
})

it('a reader that ends early ends the output', async () => {
  const read = await runIn(
    "for (let line = 0; line < 100_000; line += 1) terminal.print('a line of output')",
    'head -n 1',
  )
  expect(read).toBe('a line of output\nOutputClosed')
})

it('a program ends with its exit code, or that of its signal', () => {
  const terminal = systemTerminal({ ...process.env })
  expect(terminal.run('sh', ['-c', 'exit 9'], undefined)).toBe(9)
  expect(terminal.run('sh', ['-c', 'kill -INT $$'], undefined)).toBe(130)
  expect(() => terminal.run('/no/such/program', [], undefined)).toThrow('ENOENT')
})

it('without a terminal there are no columns, colours or questions', () => {
  const { columns, hasColors, isInteractive } = systemTerminal(process.env)
  expect({ columns, hasColors, isInteractive }).toEqual({
    columns: null,
    hasColors: false,
    isInteractive: false,
  })
})
