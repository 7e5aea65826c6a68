import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describedOf, panesOf, readAnswer, startedOf, statesOf } from './answer'

const now = 1_795_269_600
const answer = (...lines: readonly string[]) =>
  readAnswer([`boot b-1 ${String(now - 100)}`, ...lines, '', 'end', ''].join('\n'), now) ??
  expect.fail('unreadable')

describe('the answer of a machine about its jobs', () => {
  it('is read with the exit codes, and with times of this computer’s clock', () => {
    const states = statesOf(
      answer(
        `job a ended 3 ${String(now - 160)}`,
        'job b running',
        'job c ended',
        'job d rebooted',
        'job e odd',
      ),
      now,
    )
    expect([...states]).toEqual([
      ['a', { kind: 'ended', at: now - 60, code: 3 }],
      ['b', { kind: 'running' }],
      ['c', { kind: 'ended', at: now, code: null }],
      ['d', { kind: 'lost', at: now, why: 'rebooted' }],
    ])
  })

  it('counts for nothing if its end is missing', () => {
    expect(readAnswer(`boot b-1 ${String(now)}\njob a ended 0 ${String(now)}\n`, now)).toBeNull()
    expect(readAnswer('', now)).toBeNull()
  })

  it('describes processes and panes without control characters, and cuts long texts', () => {
    const described = describedOf(
      answer(
        'label work:0.1',
        `process 42 4711 jo python \u202Etrain.py\x1b ${'x'.repeat(9_000)}`,
        'log /data/log',
      ),
    )
    expect(described).toMatchObject({ process: { pid: 42, start: '4711', user: 'jo' }, log: '/data/log' })
    expect(described?.command).toMatch(/^python {1,2}train\.py {1,2}x+$/)
    expect(described?.command.length).toBe(500)
    expect(
      panesOf(answer('pane default %3 10 10 my work:0.1\tbash ', 'pane ../x %3 1 1 a\tb', 'pane a')),
    ).toEqual([{ socket: 'default', pane: '%3', label: 'my work:0.1', command: 'bash', isIdle: true }])
    expect(startedOf(answer('failed'))).toBeNull()
  })

  it('describes commands without secrets, even in cut texts, and with any character', () => {
    const token = 'f'.repeat(40)
    const command = `python ${'x'.repeat(470)} \r\u2028${token}`
    const described = describedOf(answer(`process 42 4711 jo ${command}`))
    expect(described?.command).toMatch(/^python x+ +•••$/)
    const [pane] = panesOf(answer(`pane default %3 10 11 work:0.1\tcurl\r --token ${token}`))
    expect(pane?.command).toMatch(/^curl +--token •••$/)
  })

  it('never throws, whatever the machine prints', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const read = readAnswer(`boot x 1\n${text}\nend`, now)
        if (!read) return
        statesOf(read, now)
        describedOf(read)
        panesOf(read)
        startedOf(read)
      }),
    )
  })
})
