import { describe, expect, it } from 'vitest'
import { programsCommand, programsOf } from '../../../../main/gpu/tools/programs'
import { makeMachine } from '../../fixtures/machines'
import { shellOn } from '../../fixtures/shells'
import { processCommands } from './processes'

const machine = makeMachine({ gpuCount: 1, gpuProfile: () => 'training', workload: () => 'training' })

async function run(name: 'ps' | 'top', ...args: readonly string[]): Promise<readonly string[]> {
  const command = processCommands.find((known) => known.name === name)
  const shell = shellOn(machine)
  const lines: string[] = []
  for await (const { data } of command?.run({ args, shell }) ?? []) lines.push(data.toString().trimEnd())
  return lines
}

describe('ps and top', () => {
  it('list every process with its load and command', async () => {
    const [heading, ...rows] = await run('ps', 'aux')
    expect(heading).toMatch(/^USER +PID +%CPU +%MEM +RSS +TTY +STAT +START +TIME +COMMAND$/)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows[0]).toMatch(/^root +1 +0\.0 .* \/sbin\/init$/)
    expect(rows.filter((row) => / R /.test(row))).toEqual([
      expect.stringMatching(/^ubuntu .* \/opt\/conda\S+ train\.py /),
    ])
  })

  it('list the requested fields in the requested order', async () => {
    expect(await run('ps', '-eo', 'pid,comm', '--sort=-pid', '--no-headers')).toEqual([
      expect.stringMatching(/^ +\d{5} python$/),
      '   2377 tensorboard',
      '   2104 jupyter-lab',
      '    712 sshd',
      '    689 cron',
      '    402 systemd-journald',
      '      2 [kthreadd]',
      '      1 init',
    ])
    expect(await run('ps', '-p', '1', '-o', 'comm=')).toEqual(['init'])
    expect((await run('ps', '-eo', 'args', '--sort=-pcpu'))[1]).toMatch(/python train\.py/)
  })

  it('answer the question of Wheelhouse about programs', async () => {
    const [pid = ''] = await run('ps', '-eo', 'pid=', '--sort=-pcpu')
    const [listing = ''] = programsCommand([pid.trim()]).split(' 2>/dev/null')
    const question = listing.split(' ')
    const args = question.slice(question.indexOf('ps') + 1)
    expect([...programsOf((await run('ps', ...args)).join('\n')).entries()]).toEqual([
      [
        Number(pid),
        expect.objectContaining({ user: 'ubuntu', command: expect.stringContaining('train.py') }),
      ],
    ])
  })

  it('refuse options and fields of other versions', async () => {
    expect(await run('ps', '--forest')).toEqual(['ps: --forest: not part of the sandbox'])
    expect(await run('ps', '-eo', 'coffee')).toEqual([
      'ps: error: unknown user-defined format specifier "coffee"',
    ])
  })

  it('show the busiest process first in top', async () => {
    const lines = await run('top', '-bn1')
    expect(lines[0]).toMatch(/^top - 12:00:00 up 1 day.* load average: \d/)
    expect(lines[1]).toBe('Tasks:   8 total,   1 running,   7 sleeping,   0 stopped,   0 zombie')
    expect(lines[5]).toMatch(/^ +\d+ ubuntu +R .* python$/)
  })
})
