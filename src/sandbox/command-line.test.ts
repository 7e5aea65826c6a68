import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOptions } from './command-line'

describe('the options of the sandbox', () => {
  it('have defaults', async () => {
    expect(await readOptions([])).toEqual({
      port: 0,
      sshPort: 0,
      seed: 7,
      machines: 12,
      speed: 1,
      extensions: true,
    })
  })

  it('are read from the command line', async () => {
    const line = '--port 8080 --ssh-port 2222 --seed 3 --machines 10000 --speed 2.5 --extensions off'
    expect(await readOptions(line.split(' '))).toEqual({
      port: 8_080,
      sshPort: 2_222,
      seed: 3,
      machines: 10_000,
      speed: 2.5,
      extensions: false,
    })
  })

  it('include a stored secret if the cloud is stored', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'))
    const data = join(folder, 'world.json')
    const options = await readOptions(['--data', data])
    expect(options).toMatchObject({
      dataFile: data,
      secret: (await readFile(`${data}.secret`, 'utf8')).trim(),
    })
    expect(await readOptions(['--data', data])).toEqual(options)
    await rm(folder, { recursive: true })
  })

  it.each([
    [['--machines', '10001'], 'machines'],
    [['--machines', '-1'], 'machines'],
    [['--port', '65536'], 'port'],
    [['--speed', '0'], 'speed'],
    [['--speed', 'fast'], 'speed'],
    [['--nothing'], '--nothing'],
  ])('refuse %j with a reason', async (args, word) => {
    await expect(readOptions(args)).rejects.toThrow(word)
  })
})
