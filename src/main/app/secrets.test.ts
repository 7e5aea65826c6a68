import { describe, expect, it } from 'vitest'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createSecrets, holderOf } from './secrets'

const account = 'abcdefghijkl'

/** The module, with a machine `7` and an instance `8` that have passwords. */
function begin() {
  const view = machineView(
    Machine.parse({ id: '7', name: 'train', fixed_ip: '10.0.0.7', login: { password: 'x' } }),
  )
  const fleet = {
    view: (_account: string, id: string) => (id === '7' ? view : undefined),
    secret: () => 'of the machine',
  }
  const instance = {
    ...view,
    address: '10.0.0.8',
    origin: 'added',
    hasPassword: false,
    knownSince: 0,
    presence: 'there',
  } as const
  const bareMetal = { view: () => instance, secret: () => 'of the instance' }
  const none = { secret: () => expect.fail('asked for another secret') }
  const clock = fakeClock()
  const shown: unknown[] = []
  const secrets = createSecrets({
    clock,
    showNotification: (kind, text) => void shown.push([kind, text.title]),
    fleet,
    bareMetal,
    apiTokens: none,
    volumes: none,
    firewall: none,
    clipboard: { write: () => undefined, paste: () => undefined, copySecret: () => expect.fail('copied') },
  })
  return { ...secrets, fleet, bareMetal, clock, shown }
}

it('a machine and a bare metal instance with the same id have separate secrets', async () => {
  const { handlers, fleet, bareMetal } = begin()
  const reveal = async (machine: string) =>
    handlers['secret.reveal']({ account, secret: { kind: 'machine-password', machine } })
  expect(holderOf({ fleet, bareMetal }, account, '7').view(account, '7')?.address).toBe('10.0.0.7')
  expect(await reveal('7')).toBe('of the machine')
  expect(holderOf({ fleet, bareMetal }, account, '8').view(account, '8')?.address).toBe('10.0.0.8')
  expect(await reveal('8')).toBe('of the instance')
})

describe('a command that asks for a password', () => {
  const request = '00000000-0000-4000-8000-000000000000'
  const asked = async () => {
    const { handlers, ...rest } = begin()
    const answer = Promise.resolve(handlers['secret.ask']({ account, machine: '7', request }))
    const [question] = await handlers['secret.questions']({})
    return { handlers, answer, id: question?.id ?? expect.fail('no question'), question, ...rest }
  }

  it('gets it once the user allowed it', async () => {
    const { handlers, answer, id, question, shown } = await asked()
    expect(question).toMatchObject({ account, name: 'train', request })
    expect(shown).toEqual([['question', 'Show the password of train in a terminal?']])
    await handlers['secret.answer']({ id, isAllowed: true })
    expect(await answer).toBe('of the machine')
    expect(await handlers['secret.questions']({})).toEqual([])
  })

  it('gets nothing while another one is asked about, or without a password', async () => {
    const { handlers, answer, id } = await asked()
    const ask = (machine: string) => Promise.resolve(handlers['secret.ask']({ account, machine, request }))
    await expect(ask('7')).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    await handlers['secret.answer']({ id, isAllowed: true })
    await answer
    await expect(ask('unknown')).rejects.toMatchObject({ failure: { field: 'machine' } })
  })

  it.each<[string, (one: Awaited<ReturnType<typeof asked>>) => unknown]>([
    ['the user refuses', ({ handlers, id }) => handlers['secret.answer']({ id, isAllowed: false })],
    ['nobody answers within two minutes', ({ clock }) => clock.advance(120)],
    ['it no longer waits', ({ handlers }) => handlers['secret.withdraw']({ request })],
    [
      'its account is removed',
      ({ forgetAccount }) => typeof forgetAccount === 'function' && forgetAccount(account),
    ],
    ['the application ends', ({ close }) => close?.()],
  ])('gets nothing if %s', async (_, end) => {
    const one = await asked()
    const refused = expect(one.answer).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    await end(one)
    await refused
    expect(await one.handlers['secret.questions']({})).toEqual([])
  })
})
