import { describe, expect, it } from 'vitest'
import { asking, hostile, kinds, signInHarness, types } from '../../../../test/fixtures/sign-in-harness'

const { signIn } = signInHarness()

describe('a machine’s own prompts', () => {
  it('are shown one by one, and hide the input unless it may be echoed', async () => {
    const prompts = [
      { prompt: 'Login: ', echo: true },
      { prompt: 'Code: ', echo: false },
    ]
    const machine = await hostile(asking(prompts, 'Bastion', 'Use your token.'))
    const opened = await signIn(machine, types('jane', '123 456'))
    expect(opened.outcome.kind).toBe('connected')
    expect(machine.sent).toEqual(['jane', '123 456'])
    expect(opened.asked).toMatchObject([
      { kind: 'other', subject: 'Bastion Use your token. Login:', isEchoed: true },
      { kind: 'other', subject: 'Bastion Use your token. Code:' },
    ])
    expect(opened.asked[1]).not.toHaveProperty('isEchoed')
  })

  it.each([
    ['that may be echoed', { prompt: 'Password: ', echo: true }],
    ['with a hidden character', { prompt: 'Pass\u202Eword: ', echo: false }],
    ['in two lines', { prompt: 'Password: \nreally: ', echo: false }],
    ['for another one', { prompt: 'Password of your bank: ', echo: false }],
    ['in ssh’s own words', { prompt: "Enter passphrase for key '/home/jane/.ssh/id': ", echo: false }],
  ])('do not get its password for a question %s', async (_, prompt) => {
    const machine = await hostile(asking([prompt]))
    const opened = await signIn(machine, { password: 'canary', ...types('typed') })
    expect(machine.sent).toEqual(['typed'])
    expect(kinds(opened.asked)).toEqual(['other'])
  })

  it('are one line without hidden characters, with the question at the end', async () => {
    const noise = '\u0000\u001B\r\n\u202E\u2066\u200E\u061C\uFEFF'.repeat(400)
    const machine = await hostile(asking([{ prompt: `${noise}Code: `, echo: false }], noise, `do ${noise}`))
    const opened = await signIn(machine, types('1'))
    expect(opened.asked[0]?.subject).toBe('do Code:')
    const long = 'x'.repeat(10_000)
    const flood = await hostile(asking([{ prompt: `Code: ${long}`, echo: false }], long, long))
    const cut = await signIn(flood, types('1'))
    expect(cut.asked[0]?.subject).toMatch(/^x{99}… x{399}… Code: x{393}…$/)
  })

  it('are not shown if they are longer than a packet', async () => {
    const machine = await hostile(asking([{ prompt: 'x'.repeat(64 * 1024), echo: false }]))
    const refused = await signIn(machine, types('1'))
    expect(refused.outcome.kind).toBe('not-reached')
    expect(refused.asked).toEqual([])
  })

  it('are not shown if there are a thousand at once', async () => {
    const prompts = Array.from({ length: 1_000 }, () => ({ prompt: 'Code: ', echo: false }))
    const machine = await hostile(asking(prompts))
    const refused = await signIn(machine, types('1'))
    expect(refused.outcome).toEqual({ kind: 'not-reached', reason: 'EPROTO' })
    expect(refused.asked).toEqual([])
    expect(machine.sent).toEqual([])
  })

  it('end after 20 questions', async () => {
    const machine = await hostile((attempt, sent) => {
      const again = (): void => {
        if (attempt.method === 'keyboard-interactive')
          attempt.prompt([{ prompt: 'Code: ', echo: false }], (answers) => {
            sent.push(...answers)
            again()
          })
      }
      again()
    })
    const refused = await signIn(machine, types())
    expect(refused.outcome).toEqual({ kind: 'key-refused' })
    expect(refused.asked).toHaveLength(20)
    expect(machine.sent).toHaveLength(20)
  })
})
