import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { createCapabilities } from '../capabilities/index'
import { readAtOnce } from '../store/settings'
import { createFleet, type GoneMachines } from './index'
import { createMachineActions } from './machine-actions'

const begin = async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const account = (await connect(harness, sandbox)).id
  const { accounts } = harness
  const after = () => () => undefined
  const now = () => Date.now() / 1000
  const fleet = createFleet({ accounts, clock: { now, after }, online: () => true })
  onTestFinished(() => fleet.close())
  const goneEvents: GoneMachines[] = []
  fleet.onGone((gone) => goneEvents.push(gone))
  const held = new Map<string, unknown>()
  const capabilities = createCapabilities({
    accounts,
    settings: {
      section: (name, schema) => ({
        read: () => schema.parse(held.get(name) ?? {}),
        change: (update) => {
          held.set(name, update(schema.parse(held.get(name) ?? {})))
          return Promise.resolve(schema.parse(held.get(name)))
        },
        ...readAtOnce,
      }),
    },
    clock: { now, after },
    report: () => undefined,
  })
  const actions = createMachineActions({ accounts, capabilities, fleet }).handlers
  await fleet.handlers['fleet.refresh']({ account })
  const machine = fleet.snapshot(account)?.machines.find(({ status }) => status === 'running')
  if (!machine) throw new Error('the sandbox has a machine that runs')
  const sent = async (part: string) => (await requestsTo(sandbox)).filter((one) => one.includes(part))
  return { sandbox, account, fleet, goneEvents, actions, machine, sent }
}

describe('a power action', () => {
  it('is sent once, and the list is read again', async () => {
    const { account, actions, machine, fleet, sent } = await begin()
    const changed = new Promise<string | null | undefined>((resolve) => {
      fleet.onChange(({ upserts }) => {
        const now = upserts.find(({ id }) => id === machine.id)
        if (now) resolve(now.status)
      })
    })
    const outcome = await actions['machine.power']({ account, machine: machine.id, action: 'stop' })
    expect(outcome).toEqual({ kind: 'done' })
    // The status changes at once, not with the next reading.
    expect(fleet.view(account, machine.id)?.status).toBe('stopping')
    expect(['stopping', 'stopped']).toContain(await changed)
    expect(await sent('/stop')).toEqual([`GET /virtual-machines/${machine.id}/stop 200`])
  })

  it('stays unknown if the answer is lost, and is not resent', async () => {
    const { sandbox, account, actions, machine, sent } = await begin()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', path: '/reboot' })
    const outcome = await actions['machine.power']({ account, machine: machine.id, action: 'reboot' })
    expect(outcome).toMatchObject({ kind: 'unknown', failure: { kind: 'cannot-connect' } })
    expect(await sent('/reboot')).toHaveLength(1)
  })

  it('fails with the service’s message if the state forbids it', async () => {
    const { account, actions, machine } = await begin()
    const start = Promise.resolve(actions['machine.power']({ account, machine: machine.id, action: 'start' }))
    await expect(start).rejects.toMatchObject({ failure: { kind: 'refused-by-service', status: 409 } })
  })
})

describe('deleting a machine', () => {
  it('requires the name, and is not sent without it', async () => {
    const { account, actions, machine, sent } = await begin()
    for (const name of ['', `${machine.name} `, machine.name.toUpperCase(), machine.id]) {
      const attempt = Promise.resolve(actions['machine.delete']({ account, machine: machine.id, name }))
      await expect(attempt).rejects.toMatchObject({ failure: { kind: 'invalid-input', field: 'name' } })
    }
    expect(await sent('DELETE')).toEqual([])
  })

  it('removes the machine from the list, without a notice', async () => {
    const { account, actions, machine, fleet, goneEvents } = await begin()
    const outcome = await actions['machine.delete']({ account, machine: machine.id, name: machine.name })
    expect(outcome).toEqual({ kind: 'done' })
    await fleet.handlers['fleet.refresh']({ account })
    await fleet.handlers['fleet.refresh']({ account })
    expect(fleet.view(account, machine.id)).toBeUndefined()
    expect(goneEvents.map(({ expected, machines }) => [expected, machines.map(({ id }) => id)])).toEqual([
      [true, [machine.id]],
    ])
  })

  it('is done if the answer is lost and the machine is gone', async () => {
    const { sandbox, account, actions, machine, sent } = await begin()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'DELETE' })
    const outcome = await actions['machine.delete']({ account, machine: machine.id, name: machine.name })
    expect(outcome).toEqual({ kind: 'done' })
    expect(await sent('DELETE')).toHaveLength(1)
  })

  it('stays unknown if the answer is lost and the machine still exists', async () => {
    const { sandbox, account, actions, machine, fleet, goneEvents, sent } = await begin()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'before', method: 'DELETE' })
    const outcome = await actions['machine.delete']({ account, machine: machine.id, name: machine.name })
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect((await sent('DELETE')).length).toBeLessThanOrEqual(1)
    // A later disappearance is notified.
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    await fleet.handlers['fleet.refresh']({ account })
    await fleet.handlers['fleet.refresh']({ account })
    expect(goneEvents.map(({ expected }) => expected)).toEqual([false])
  })
})

describe('a machine that disappears', () => {
  it('is notified once, with its name', async () => {
    const { sandbox, account, machine, fleet, goneEvents } = await begin()
    await control(sandbox, 'DELETE', `/resources/${machine.id}`)
    await fleet.handlers['fleet.refresh']({ account })
    await fleet.handlers['fleet.refresh']({ account })
    expect(goneEvents).toMatchObject([
      { account, expected: false, machines: [{ id: machine.id, name: machine.name }] },
    ])
  })
})
