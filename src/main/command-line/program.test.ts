import { describe, expect, it } from 'vitest'
import { account, answers, machine, openShell } from '../../../test/fixtures/command-line'
import { looked } from '../../../test/fixtures/last-look'
import { spending, wasteItem } from '../../../test/gallery/world'
import { commands } from './commands'
import { outputs, type OutputName } from './output'

const isOutput = (name: string): name is OutputName => Object.hasOwn(outputs, name)
/** Parses the only line of standard output with the schema of the command. */
function parsed(name: string, output: readonly string[]): unknown {
  if (!isOutput(name)) throw new Error(`${name} has no JSON`)
  expect(output).toHaveLength(1)
  return outputs[name].parse(JSON.parse(output[0] ?? ''))
}

describe('ls', () => {
  it('prints a table that fits the terminal', async () => {
    const { run, output, errors } = await openShell({ columns: 60 })
    expect(await run('ls')).toBe(0)
    expect(output).toEqual([
      'NAME      STATUS  GPU       ADDRESS   REGION  PER HOUR',
      'eval      ACTIVE  2 × H100  10.0.0.5  Oslo    –',
      'train-01  ACTIVE  2 × H100  10.0.0.5  Oslo    2.50 USD',
    ])
    expect(errors).toEqual([])
  })

  it('has a column for automatic ends if one is armed', async () => {
    const rule = {
      id: 'r1',
      account: account.id,
      machine: 'm1',
      name: 'train-01',
      action: 'delete',
      when: { kind: 'idle', seconds: 7200 },
      armedAt: 1_700_000_000,
      agent: null,
      notBefore: 1_700_000_000,
      state: { kind: 'held', why: 'loss', at: 1_700_000_050, failure: null },
      dueAt: null,
    }
    const stubs = { ...answers, 'endRules.list': [rule, { ...rule, id: 'r2', machine: 'm9' }] }
    const { run, output } = await openShell({ stubs })
    expect(await run('ls')).toBe(0)
    expect(output.map((line) => line.slice(line.lastIndexOf('  ')))).toEqual([
      '  ENDS',
      '  –',
      '  Not deleted automatically',
    ])
    expect(await run('show', 'train-01')).toBe(0)
    expect(output.at(-1)).toBe('Automatic end  Not deleted automatically')
    output.length = 0
    expect(await run('show', 'train-01', '--json')).toBe(0)
    expect(parsed('show', output)).toMatchObject({
      machine: { end: { action: 'delete', idle: 7200, state: 'held', held: 'loss', dueAt: null } },
    })
  })

  it('ends with code 141 and without a text if nothing reads its output', async () => {
    const { run, errors } = await openShell({ isClosed: true })
    expect(await run('ls', '--json')).toBe(141)
    expect(errors).toEqual([])
  })

  it('prints JSON with amounts in millionths', async () => {
    const { run, output } = await openShell()
    expect(await run('ls', '--json')).toBe(0)
    expect(parsed('ls', output)).toMatchObject({
      version: 1,
      account: { id: account.id, name: 'Work' },
      machines: [{ id: 'm2' }, { id: 'm1', perHour: { currency: 'USD', millionths: 2_500_000 } }],
    })
  })

  it('two programs at once get their own answers', async () => {
    const shell = await openShell()
    const codes = await Promise.all([shell.run('ls', '--json'), shell.run('show', 'eval', '--json')])
    expect(codes).toEqual([0, 0])
    const all = shell.output.map((line): unknown => JSON.parse(line))
    expect(all).toContainEqual(expect.objectContaining({ machine: expect.objectContaining({ id: 'm2' }) }))
    expect(all).toContainEqual(expect.objectContaining({ machines: expect.anything() }))
  })
})

describe('machines', () => {
  it.each(['m1', 'train-01'])('%s is found by id and by name', async (word) => {
    const { run, output, calls } = await openShell()
    expect(await run('stop', word, '--json')).toBe(0)
    expect(calls).toContainEqual(['machine.power', { account: account.id, machine: 'm1', action: 'stop' }])
    expect(parsed('stop', output)).toMatchObject({ machine: { id: 'm1', name: 'train-01' } })
  })

  it('an unknown name and a name of several machines end with code 5, and nothing is sent', async () => {
    const snapshot = answers['fleet.snapshot']
    const twice = [machine('m1', 'same'), machine('m2', 'same')]
    const stubs = { ...answers, 'fleet.snapshot': { ...Object(snapshot), machines: twice } }
    const { run, errors, calls } = await openShell({ stubs })
    expect(await run('stop', 'same')).toBe(5)
    expect(errors.join()).toContain('m1, m2')
    expect(await run('stop', 'nobody')).toBe(5)
    expect(calls.map(([name]) => name)).not.toContain('machine.power')
  })

  it('a request without a known outcome ends with code 6', async () => {
    const unknown = { kind: 'unknown', failure: { kind: 'offline' } }
    const { run, output } = await openShell({ stubs: { ...answers, 'machine.power': unknown } })
    expect(await run('start', 'eval', '--json')).toBe(6)
    expect(parsed('error', output)).toMatchObject({ error: { code: 6, kind: 'unknownOutcome' } })
  })

  it.each([['start'], ['stop'], ['delete', '--yes-delete', 'eval']])(
    'a %s without an answer ends with code 6, since its effect is unknown',
    async (command, ...more) => {
      const { run, output } = await openShell({
        answer: (name) =>
          name.startsWith('machine.')
            ? Promise.reject(new Error('the application quits'))
            : Promise.resolve({ ok: true, value: answers[name] }),
      })
      expect(await run(command, 'eval', ...more, '--json')).toBe(6)
      expect(parsed('error', output)).toMatchObject({ error: { kind: 'unknownOutcome' } })
    },
  )
})

describe('delete', () => {
  const deletion = ['machine.delete', { account: account.id, machine: 'm2', name: 'eval' }]

  it('asks at a terminal for the name', async () => {
    const { run, calls, errors } = await openShell({ typed: 'eval' })
    expect(await run('delete', 'eval')).toBe(0)
    expect(errors[0]).toContain('Type its name')
    expect(calls).toContainEqual(deletion)
  })

  it('needs the name as an option without a terminal', async () => {
    const { run, calls } = await openShell()
    expect(await run('delete', 'eval')).toBe(7)
    expect(calls).not.toContainEqual(deletion)
    expect(await run('delete', 'm2', '--yes-delete', 'eval')).toBe(0)
    expect(calls).toContainEqual(deletion)
  })

  it.each([
    ['typed', { typed: 'Eval' }, []],
    ['given as an option', {}, ['--yes-delete', 'm2']],
  ])('is refused if another name is %s', async (_, options, words) => {
    const { run, calls } = await openShell(options)
    expect(await run('delete', 'eval', ...words)).toBe(7)
    expect(calls.map(([name]) => name)).not.toContain('machine.delete')
  })
})

describe('the look before a stop or deletion', () => {
  const findings = looked({ sessions: [{ tool: 'tmux', name: 'train\u001B[2J' }] })

  it.each([
    ['stop', ['stop', 'eval'], 'machine.power'],
    ['delete', ['delete', 'eval', '--yes-delete', 'eval'], 'machine.delete'],
  ])('refuses the %s with code 8 and prints the work', async (before, words, request) => {
    const { run, calls, errors, output } = await openShell({
      stubs: { ...answers, 'lastLook.look': findings },
    })
    expect(await run(...words, '--json')).toBe(8)
    expect(errors.slice(0, 2)).toEqual(['Sessions:', '  train [2J (tmux)'])
    expect(parsed('error', output)).toMatchObject({ error: { code: 8, kind: 'wouldLose' } })
    expect(calls).toContainEqual([
      'lastLook.look',
      { account: account.id, machine: 'm2', before, isUnattended: true },
    ])
    expect(calls.map(([name]) => name)).not.toContain(request)
  })

  it('is left out with --lose-work', async () => {
    const { run, calls } = await openShell({ stubs: { ...answers, 'lastLook.look': findings } })
    expect(await run('stop', 'eval', '--lose-work')).toBe(0)
    expect(await run('delete', 'eval', '--yes-delete', 'eval', '--lose-work')).toBe(0)
    expect(calls.map(([name]) => name)).not.toContain('lastLook.look')
  })

  it('a machine that does not answer is reported and holds nothing back', async () => {
    const stopped = { kind: 'stopped', state: { kind: 'lost' } }
    const { run, errors } = await openShell({ stubs: { ...answers, 'lastLook.look': stopped } })
    expect(await run('stop', 'eval')).toBe(0)
    expect(errors).toEqual(['Wheelhouse couldn’t look at eval over SSH, so unsaved work is possible.'])
  })

  it('unread parts are reported and hold nothing back', async () => {
    const partial = looked({ gaps: [{ part: 'files', reason: 'out-of-time' }] })
    const { run, errors } = await openShell({ stubs: { ...answers, 'lastLook.look': partial } })
    expect(await run('delete', 'eval', '--yes-delete', 'eval')).toBe(0)
    expect(errors).toEqual(['Not read:', '  Files (there was not enough time)'])
  })
})

describe('end', () => {
  it.each([
    [['--at', '18:00', '--after', '2h']],
    [['--at', 'noon']],
    [['--after', '2']],
    [['--idle', '5m']],
    [['--after', '2h', '--stop', '--delete', 'eval']],
    [['--after', '2h', '--cancel']],
    [['--stop']],
  ])('%j ends with code 2 and arms nothing', async (words) => {
    const { run, calls } = await openShell()
    expect(await run('end', 'eval', ...words)).toBe(2)
    expect(calls.map(([name]) => name)).not.toContain('endRules.arm')
  })

  it('a deletion is armed with the name of the machine only', async () => {
    const { run, calls } = await openShell()
    expect(await run('end', 'eval', '--after', '2h', '--delete', 'other')).toBe(7)
    expect(calls.map(([name]) => name)).not.toContain('endRules.arm')
  })

  it('a budget needs a known cost', async () => {
    const { run } = await openShell()
    expect(await run('end', 'eval', '--budget', '5')).toBe(1)
    expect(await run('end', 'train-01', '--budget', '5,00')).toBe(2)
    expect(await run('end', 'train-01', '--budget', '5')).toBe(2)
  })

  it('names the condition of a held end and its reason', async () => {
    const rule = {
      id: 'r1',
      account: account.id,
      machine: 'm2',
      name: 'eval',
      action: 'delete',
      when: { kind: 'idle', seconds: 7_200 },
      armedAt: 1,
      agent: null,
      notBefore: 0,
      state: {
        kind: 'held',
        why: 'loss',
        at: 2,
        failure: null,
        found: { programs: 1, sessions: 0, jobs: 1, repositories: 0, files: 0, isComplete: true },
      },
      dueAt: null,
    }
    const { run, output } = await openShell({ stubs: { ...answers, 'endRules.list': [rule] } })
    expect(await run('end', 'eval')).toBe(0)
    expect(output[0]).toBe('eval: Deleted after 2 h idle')
    expect(output[1]).toContain('work that would be lost')
    expect(output[2]).toBe('Found on the machine: 1 process on the GPUs, 1 job.')
    expect(await run('end', 'train-01')).toBe(0)
    expect(output[3]).toBe('train-01 isn’t ended automatically.')
  })

  it('reports that a stop is still billed, and recommends a deletion for idle machines', async () => {
    const rule = {
      id: 'r1',
      account: account.id,
      machine: 'm2',
      name: 'eval',
      action: 'stop',
      when: { kind: 'idle', seconds: 7_200 },
      armedAt: 1,
      agent: null,
      notBefore: 0,
      state: { kind: 'armed' },
      dueAt: null,
    }
    const { run, output } = await openShell({ stubs: { ...answers, 'endRules.arm': rule } })
    expect(await run('end', 'eval', '--idle', '2h')).toBe(0)
    expect(output).toEqual([
      'eval: Stops after 2 h idle',
      'Stopping doesn’t stop billing: a stopped machine costs the same. To end the cost, select Delete.',
    ])
  })
})

describe('ssh', () => {
  const stubs = {
    ...answers,
    'ssh.command': { file: '/usr/bin/ssh', options: ['-p', '22'], host: '10.0.0.5', folder: '/data' },
  }

  it('runs in this terminal, with the exit code of ssh', async () => {
    const { run, programs } = await openShell({ stubs })
    expect(await run('ssh', 'eval')).toBe(42)
    expect(programs).toEqual([['/usr/bin/ssh', '-p', '22', '--', '10.0.0.5']])
  })

  it('passes a command on, with its own options', async () => {
    const { run, programs } = await openShell({ stubs })
    await run('run', 'eval', '--', 'nvidia-smi', '--json')
    expect(programs[0]?.slice(-4)).toEqual(['--', '10.0.0.5', 'nvidia-smi', '--json'])
    expect(programs[0]).toContain('-T')
  })

  it('copies to and from a machine with scp', async () => {
    const options = ['-o', 'HostKeyAlias=a', '-i', '/key', '-p', '2222', '-l', 'ubuntu']
    const command = { file: '/usr/bin/ssh', options, host: '2001:db8::1', folder: '/data' }
    const { run, programs } = await openShell({ stubs: { ...answers, 'ssh.command': command } })
    const asScp = ['-o', 'HostKeyAlias=a', '-i', '/key', '-P', '2222', '-o', 'User=ubuntu', '-r', '--']
    expect(await run('cp', '/tmp/a b', 'eval:data/')).toBe(42)
    expect(programs[0]).toEqual(['/usr/bin/scp', ...asScp, '/tmp/a b', '[2001:db8::1]:data/'])
    await run('cp', 'eval:x', '/tmp/-y')
    expect(programs[1]?.slice(-2)).toEqual(['[2001:db8::1]:x', '/tmp/-y'])
    expect(await run('cp', 'a', 'b')).toBe(2)
    expect(await run('cp', 'eval:a', 'eval:b')).toBe(2)
  })

  it('forwards a port of this computer only', async () => {
    const { run, programs } = await openShell({ stubs })
    await run('forward', 'eval', '8888', '9000')
    expect(programs[0]).toContain('127.0.0.1:9000:localhost:8888')
    expect(await run('forward', 'eval', '70000')).toBe(2)
  })
})

describe('usage', () => {
  it.each([
    [['nothing']],
    [['show']],
    [['show', 'a', 'b']],
    [['ls', '--wrong']],
    [['ls', '--yes-delete', 'a']],
    [['run', 'eval']],
    [['completion', 'tcsh']],
    [['open', 'elsewhere']],
  ])('%j ends with code 2 and makes no change', async (words) => {
    const { run, errors } = await openShell()
    expect(await run(...words)).toBe(2)
    expect(errors.join()).not.toBe('')
  })

  it('every command has help', async () => {
    const { run, output } = await openShell({ isRunning: false })
    for (const { name } of commands) {
      expect(await run(name, '--help')).toBe(0)
      expect(output.join('\n')).toContain(`Usage: wheelhouse ${name}`)
    }
    expect(await run('--help')).toBe(0)
    expect(await run('--version')).toBe(0)
    expect(output.at(-1)).toBe('1.2.3')
    expect(output.join('\n')).not.toContain('commandLine.')
  })
})

describe('the application', () => {
  it('is started once without a window if it does not run', async () => {
    const { run, starts, errors } = await openShell({ isRunning: false, hasDisplay: true })
    expect(await run('ls')).toBe(0)
    expect(await run('show', 'eval')).toBe(0)
    expect(starts()).toBe(1)
    expect(errors).toEqual(['Starting Wheelhouse in the background…'])
  })

  it('cannot be started without a display: code 3', async () => {
    const { run, output } = await openShell({ isRunning: false })
    expect(await run('ls', '--json')).toBe(3)
    expect(parsed('error', output)).toMatchObject({ error: { kind: 'notRunning' } })
  })

  it('a missing or signed-out account ends with code 4', async () => {
    const none = await openShell({ stubs: { 'accounts.list': { accounts: [], selected: null } } })
    expect(await none.run('ls')).toBe(4)
    const signedOut = { accounts: [{ ...account, state: 'signed-out' }], selected: account.id }
    const out = await openShell({ stubs: { ...answers, 'accounts.list': signedOut } })
    expect(await out.run('ls')).toBe(4)
    expect(await out.run('ls', '--account', 'Nobody')).toBe(4)
  })

  it('a failure of the service ends with code 1 and its text', async () => {
    const { run, errors } = await openShell({ stubs: { 'accounts.list': answers['accounts.list'] } })
    expect(await run('ls')).toBe(1)
    expect(errors.join()).toMatch(/offline|connection/i)
  })

  it('doctor reports missing parts and starts nothing', async () => {
    const { run, output } = await openShell({ isRunning: false })
    expect(await run('doctor', '--json')).toBe(1)
    expect(parsed('doctor', output)).toMatchObject({ checks: [{ ok: false }, { ok: true }] })
  })
})

describe('texts of the service', () => {
  const [name, plain] = ['eval\u001B]0;title\u0007', 'eval ]0;title ']
  const snapshot = { ...Object(answers['fleet.snapshot']), machines: [machine('m2', name)] }
  const stubs = { ...answers, 'fleet.snapshot': snapshot }

  it('do not control the terminal', async () => {
    const { run, output, errors } = await openShell({ stubs, typed: 'no' })
    expect(await run('start', 'm2')).toBe(0)
    expect(output).toEqual([`Starting ${plain}.`])
    expect(await run('delete', 'm2')).toBe(7)
    expect(errors[0]).toContain(`deletes ${plain} and`)
    const piped = await openShell({ stubs })
    expect(await piped.run('delete', 'm2')).toBe(7)
    expect(piped.errors.join()).toContain(`--yes-delete ${plain}`)
  })

  it('an empty line deletes no machine, not even one without a name', async () => {
    const nameless = { ...Object(answers['fleet.snapshot']), machines: [machine('m2', '')] }
    const { run, calls } = await openShell({ stubs: { ...answers, 'fleet.snapshot': nameless }, typed: '' })
    expect(await run('delete', 'm2')).toBe(7)
    expect(calls.map(([call]) => call)).not.toContain('machine.delete')
  })

  it('an error whose output nothing reads ends with code 141', async () => {
    const { run } = await openShell({ isClosed: true })
    expect(await run('show', 'nobody', '--json')).toBe(141)
  })
})

describe('money', () => {
  const unread = (failure: unknown) => ({
    ...answers,
    'alerts.limits': { budget: null, perHour: null, runningHours: null, balanceDays: null },
    'cost.spending': { ...spending, account: account.id, currencies: [], usageAsOf: null, failure },
  })

  it.each(['cost', 'budget'])(
    '%s fails if the usage was never read, instead of printing nothing',
    async (word) => {
      const refused = await openShell({ stubs: unread({ kind: 'offline' }) })
      expect(await refused.run(word, '--json')).toBe(1)
      expect(parsed('error', refused.output)).toMatchObject({ error: { kind: 'offline' } })
      const late = await openShell({ stubs: unread(null) })
      expect(await late.run(word)).toBe(1)
      expect(late.errors.at(-1)).toBe('The list could not be read in time.')
    },
  )

  it('waste names each reason', async () => {
    const reasons = [
      { kind: 'idle', since: 1, held: null },
      { kind: 'barely-used', since: 1 },
      { kind: 'stopped', status: null },
      { kind: 'detached' },
      { kind: 'of-stopped', machine: 'm1', name: 'train-01' },
      { kind: 'unlisted', type: null },
    ] as const
    const items = reasons.map((reason, index) => wasteItem(`r${String(index)}`, { reason }))
    const view = {
      account: account.id,
      items,
      unchecked: [],
      totals: [],
      ended: [],
      read: true,
      failure: null,
    }
    const { run, output } = await openShell({ stubs: { ...answers, 'waste.list': view } })
    expect(await run('waste')).toBe(0)
    expect(output.join('\n')).not.toContain('reasons.')
  })
})
