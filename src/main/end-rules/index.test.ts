import { beforeEach, describe, expect, it } from 'vitest'
import type { EndAction, EndWhen } from '#shared/bridge/end-rule'
import { translate } from '#shared/messages/index'
import { account, endRulesWorld, settled, usd } from '../../../test/fixtures/end-rules-world'

let world: ReturnType<typeof endRulesWorld>
let rules: ReturnType<typeof world.open>
const open = async (): Promise<void> => {
  rules = world.open()
  rules.start()
  await settled()
}
beforeEach(async () => {
  world = endRulesWorld()
  await open()
})
const arm = (action: EndAction, when: EndWhen) =>
  rules.handlers['endRules.arm']({ account, machine: 'm1', name: 'm1', action, when })
const inSeconds = (seconds: number): EndWhen => ({ kind: 'at', at: world.clock.now() + seconds })
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 30) {
    world.clock.advance(Math.min(30, left))
    await settled()
  }
}
const foundLines = 'On the GPUs:\n  train\nSessions:\n  work  (tmux)\n  log (screen)'
const state = () => rules.of(account, 'm1')?.state
const sent = () => world.sent.map(({ id, action }) => `${action} ${id}`)

describe('an armed end', () => {
  it('gives notice 15 minutes before, then deletes the machine once', async () => {
    await arm('delete', inSeconds(3_600))
    await pass(2_640)
    expect([state(), world.notices]).toEqual([{ kind: 'armed' }, []])
    await pass(60)
    expect(state()?.kind).toBe('warned')
    expect(world.notices).toEqual([expect.stringMatching(/^m1 will be deleted at /)])
    expect(sent()).toEqual([])
    await pass(1_800)
    expect(sent()).toEqual(['delete m1'])
    expect([rules.of(account, 'm1'), world.notices.at(-1)]).toEqual([undefined, 'm1 was deleted'])
  })

  it('follows the idle time while the costs of another machine cannot be read', async () => {
    const budget: EndWhen = { kind: 'budget', budget: usd(9_000_000_000) }
    await rules.handlers['endRules.arm']({ account, machine: 'm2', name: 'm2', action: 'stop', when: budget })
    world.alter.idle(world.clock.now())
    await arm('stop', { kind: 'idle', seconds: 7_200 })
    await pass(3_600)
    world.alter.costs(false)
    world.alter.idle(null)
    await pass(14_400)
    expect(sent()).toEqual([])
    world.alter.idle(world.clock.now())
    await pass(7_300)
    expect(sent()).toEqual(['stop m1'])
  })

  it('is delayed by an hour, and dropped', async () => {
    const { id } = await arm('delete', inSeconds(600))
    await rules.handlers['endRules.extend']({ account, rule: id })
    await pass(3_600)
    expect(sent()).toEqual([])
    await rules.handlers['endRules.cancel']({ account, rule: id })
    await pass(7_200)
    expect(sent()).toEqual([])
  })

  it.each([
    ['loss', 'loss'],
    ['incomplete', 'incomplete'],
    ['unreachable', 'no-look'],
    ['refused', 'no-consent'],
  ] as const)('keeps the machine if the last look is %s, and alerts', async (look, why) => {
    world.alter.look(look)
    await arm('delete', inSeconds(600))
    await pass(900)
    expect(state()).toMatchObject({ kind: 'held', why })
    expect([sent(), world.notices.at(-1)]).toEqual([[], 'm1 was not deleted'])
    await pass(7_200)
    expect(sent()).toEqual([])
  })

  it('shows the findings that keep the machine, in numbers and by name, also after a restart', async () => {
    world.alter.look('loss')
    await arm('delete', inSeconds(600))
    await pass(900)
    expect(world.bodies.at(-1)).toEqual({
      body: `${translate('endRules.held.loss')} Found on the machine: 1 process on the GPUs, 2 sessions.`,
      output: foundLines,
    })
    await rules.close()
    await open()
    expect(state()).toMatchObject({
      found: { programs: 1, sessions: 2, jobs: 0, repositories: 0, files: 0, isComplete: true },
    })
  })

  it('stops a machine after the look', async () => {
    world.alter.look('loss')
    await arm('stop', inSeconds(600))
    await pass(900)
    expect(world.sent).toMatchObject([{ action: 'stop', id: 'm1', look: { look: 'loss' } }])
    expect(world.notices.at(-1)).toBe('m1 was stopped')
    expect(world.bodies.at(-1)).toEqual({
      body: `${translate('endRules.notices.endedText.stop')} Found on the machine: 1 process on the GPUs, 2 sessions.`,
      output: foundLines,
    })
  })

  it.each([
    ['clean', 'lastLook.nothing.stop', ''],
    ['incomplete', 'lastLook.nothingFound', 'Not read:\n  Files (there was not enough time)'],
    ['unreachable', 'endRules.notices.unseen.unreachable', ''],
    ['refused', 'endRules.notices.unseen.not-allowed', ''],
  ] as const)('a notification of a stop shows the findings of a look: %s', async (look, text, output) => {
    world.alter.look(look)
    await arm('stop', inSeconds(600))
    await pass(900)
    expect(world.bodies.at(-1)).toEqual({
      body: `${translate('endRules.notices.endedText.stop')} ${translate(text)}`,
      output,
    })
  })

  it('asks if the time passed during sleep, a restart or a change of the clock', async () => {
    await arm('delete', inSeconds(1_200))
    world.clock.set(world.clock.now() + 1_300)
    rules.wakeChanged(true)
    await settled()
    expect(state()).toMatchObject({ kind: 'held', why: 'missed' })

    await arm('delete', inSeconds(600))
    await rules.close()
    world.clock.set(world.clock.now() + 601)
    await open()
    expect(state()).toMatchObject({ kind: 'held', why: 'missed' })
    await pass(3_600)
    expect(sent()).toEqual([])
  })

  it('is not sent again after a crash during the request: the state is read', async () => {
    world.alter.slow('requests')
    await arm('delete', inSeconds(60))
    await pass(120)
    expect([sent(), state()]).toEqual([['delete m1'], { kind: 'ending', isSent: true }])
    await open()
    await pass(600)
    expect(state()).toMatchObject({ kind: 'held', why: 'unknown' })
    expect(sent()).toEqual(['delete m1'])
  })

  it('with a lost answer is done if the machine is gone, otherwise unknown', async () => {
    world.alter.answer('lost-done')
    await arm('delete', inSeconds(60))
    await pass(120)
    expect([sent(), rules.of(account, 'm1')]).toEqual([['delete m1'], undefined])

    world.status.set('m1', 'running')
    world.alter.answer('lost')
    await arm('delete', inSeconds(60))
    await pass(3_600)
    expect(state()).toMatchObject({ kind: 'held', why: 'unknown' })
    expect(sent()).toEqual(['delete m1', 'delete m1'])
  })

  it('is withdrawn during the look if the user extends it', async () => {
    world.alter.slow('looks')
    const { id } = await arm('delete', inSeconds(60))
    await pass(90)
    expect(state()?.kind).toBe('ending')
    await rules.handlers['endRules.extend']({ account, rule: id })
    world.alter.slow('nothing')
    await pass(60)
    expect([sent(), state()]).toEqual([[], { kind: 'armed' }])
  })
})

describe('a condition', () => {
  it('waits for readings of idle GPUs, and for 15 minutes after the notice', async () => {
    await arm('delete', { kind: 'idle', seconds: 7_200 })
    await pass(9_000)
    expect(state()).toEqual({ kind: 'armed' })
    world.alter.idle(world.clock.now() - 7_200)
    await pass(60)
    expect(state()?.kind).toBe('warned')
    world.alter.idle(null)
    await pass(60)
    expect(state()).toEqual({ kind: 'armed' })
    world.alter.idle(world.clock.now() - 7_200)
    await pass(1_000)
    expect(sent()).toEqual(['delete m1'])
  })

  it('waits for the end of a job, gives 15 minutes, and asks if the job is lost', async () => {
    const train: EndWhen = { kind: 'job', job: 'j', name: 'train' }
    await arm('delete', train)
    await pass(7_200)
    expect(state()).toEqual({ kind: 'armed' })
    world.alter.job('ended')
    await pass(60)
    expect([state()?.kind, sent()]).toEqual(['warned', []])
    await pass(960)
    expect(sent()).toEqual(['delete m1'])

    world.status.set('m1', 'running')
    await expect(arm('stop', train)).rejects.toMatchObject({ failure: { field: 'job' } })
    world.alter.job('running')
    await arm('stop', train)
    world.alter.job('lost')
    await pass(3_600)
    expect(state()).toMatchObject({ kind: 'held', why: 'job-lost' })
    expect(sent()).toEqual(['delete m1'])
  })

  it('ends the machine when its budget is used up', async () => {
    await arm('delete', { kind: 'budget', budget: usd(4_000_000_000) })
    await pass(1_800)
    expect(state()).toEqual({ kind: 'armed' })
    world.alter.spend(3_990_000_000)
    await pass(60)
    expect(state()?.kind).toBe('warned')
    world.alter.spend(10_000_000)
    await pass(960)
    expect(sent()).toEqual(['delete m1'])
  })
})

describe('arming', () => {
  it('needs a virtual machine, its name, a future time and an unused budget', async () => {
    const order = { account, machine: 'm1', name: 'm1', action: 'delete', when: inSeconds(60) } as const
    const armed = (changes: object) => rules.handlers['endRules.arm']({ ...order, ...changes })
    world.status.set('m2', 'gone')
    await expect(armed({ machine: 'm2', name: 'm2' })).rejects.toMatchObject({
      failure: { field: 'machine' },
    })
    await expect(armed({ name: 'm' })).rejects.toMatchObject({ failure: { field: 'name' } })
    await expect(armed({ when: inSeconds(-1) })).rejects.toMatchObject({ failure: { field: 'at' } })
    world.alter.spend(5_000_000)
    const when = { kind: 'budget', budget: usd(5_000_000) }
    await expect(armed({ when })).rejects.toMatchObject({ failure: { field: 'budget' } })
    expect(await rules.handlers['endRules.list']({ account })).toEqual([])
  })

  it('replaces the rule of the machine', async () => {
    await arm('delete', inSeconds(600))
    const { id } = await arm('stop', inSeconds(6_000))
    expect((await rules.handlers['endRules.list']({ account })).map((rule) => rule.id)).toEqual([id])
  })
})
