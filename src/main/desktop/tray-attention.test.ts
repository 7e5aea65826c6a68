import { expect, it } from 'vitest'
import type { Alert } from '#shared/bridge/alert'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { Job } from '#shared/bridge/job'
import { account as accountOf, both, endRule, fleetOf, menuOf, words } from '../../../test/fixtures/tray-menu'
import type { TraySources } from './tray-menu'

const now = 1_795_269_600
const lab = { accounts: [accountOf('lab', 'research-lab')], selected: 'lab' }

const alert = (id: string, changes: Partial<Alert> = {}): Alert => ({
  id,
  account: 'lab',
  cause: { kind: 'unreachable', machine: `id-${id}`, name: id },
  since: now - 900,
  snoozedUntil: null,
  ...changes,
})
const end = (name: string, changes: Partial<EndRuleView> = {}): EndRuleView =>
  endRule(now, { id: `rule-${name}`, machine: `id-${name}`, name, ...changes })
const job = (name: string, changes: Partial<Job> = {}): Job => ({
  id: `job-${name}`,
  account: 'lab',
  machine: 'id-train',
  machineName: 'train',
  name,
  subject: { kind: 'idle', minutes: 15 },
  boot: 'b',
  since: now - 7_200,
  state: { kind: 'running' },
  ...changes,
})
const onlyIn =
  <Item>(id: string, items: readonly Item[]) =>
  (account: string) =>
    account === id ? items : []

/** The lines of the menu before the first account. */
function lines(view: typeof both, sources: Partial<TraySources>) {
  const menu = menuOf(view, [], { now, ...sources })
  return menu.slice(
    0,
    menu.findIndex((item) => item !== 'separator' && 'heading' in item),
  )
}

it('the menu leads with alerts, ends and running jobs, each of which opens its place', () => {
  const first = lines(lab, {
    alerts: onlyIn('lab', [alert('box'), alert('snoozed', { snoozedUntil: now + 60 })]),
    ends: onlyIn('lab', [
      end('later', { dueAt: now + 7_200 }),
      end('soon', { dueAt: now + 600 }),
      end('idle', { when: { kind: 'idle', seconds: 7_200 }, dueAt: null }),
    ]),
    jobs: onlyIn('lab', [job('train.py'), job('done', { state: { kind: 'ended', at: now, code: 0 } })]),
  })
  expect(words(first)).toEqual([
    expect.stringContaining('box'),
    'soon: Deleted in 10 min',
    'later: Deleted in 2 h',
    'train.py on train · 2 h',
    '---',
  ])
  const page = { page: 'machines', account: 'lab' }
  expect(first.slice(0, 4)).toMatchObject([
    { action: { kind: 'show', destination: { ...page, machine: 'id-box' } } },
    { action: { kind: 'show', destination: { ...page, machine: 'id-soon' } } },
    { action: { kind: 'show', destination: { ...page, machine: 'id-later' } } },
    { action: { kind: 'show', destination: { ...page, machine: 'id-train', tab: 'jobs' } } },
  ])
})

it('an end that waits for the user comes first', () => {
  const held = end('held', {
    state: { kind: 'held', why: 'loss', at: now, failure: null, found: null },
    dueAt: null,
  })
  expect(words(lines(lab, { ends: onlyIn('lab', [end('soon'), held]) }))).toEqual([
    'held: Not deleted',
    'soon: Deleted in 1 h',
    '---',
  ])
})

it('an end of another account that waits for the user comes first too', () => {
  const held = end('held', {
    account: 'uni',
    state: { kind: 'held', why: 'loss', at: now, failure: null, found: null },
  })
  const ofLab = ['a', 'b', 'c'].map((name) => end(name))
  const ends = (account: string) => (account === 'lab' ? ofLab : [held])
  expect(words(lines(both, { ends }))[0]).toBe('held: Not deleted · university')
})

it('a stop has the hint that the machine is still billed', () => {
  const stop = end('train', { action: 'stop' })
  expect(words(lines(lab, { ends: onlyIn('lab', [stop]) }))[0]).toBe('train: Stops in 1 h, still billed')
})

it('a job on bare metal opens the page of bare metal', () => {
  const page = { page: 'bare-metal', account: 'lab', instance: 'id-train' } as const
  const [first] = lines(lab, { jobs: onlyIn('lab', [job('train.py')]), jobsPage: () => page })
  expect(first).toMatchObject({ action: { kind: 'show', destination: page } })
})

it('each kind has at most three lines, and names the account if there are several', () => {
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => job(name))
  expect(words(lines(both, { jobs: onlyIn('lab', jobs) }))).toEqual([
    'a on train · 2 h · research-lab',
    'b on train · 2 h · research-lab',
    'c on train · 2 h · research-lab',
    '2 more…',
    '---',
  ])
})

it('an account that is signed out, and a calm one, add nothing', () => {
  expect(lines(lab, {})).toEqual([])
  const out = { accounts: [accountOf('lab', 'research-lab', 'signed-out')], selected: 'lab' }
  expect(lines(out, { alerts: onlyIn('lab', [alert('box')]) })).toEqual([])
})

it('an armed end can be extended and dropped from the actions of its machine', () => {
  const menu = menuOf(lab, [fleetOf('lab', [['soon', 'running']])], {
    now,
    ends: onlyIn('lab', [end('soon')]),
  })
  const ending = end('soon', { state: { kind: 'ending', isSent: true } })
  const late = menuOf(lab, [fleetOf('lab', [['soon', 'running']])], { now, ends: onlyIn('lab', [ending]) })
  expect(JSON.stringify(late)).not.toContain('Keep machine')
  const actions = menu.find((item) => item !== 'separator' && 'items' in item)
  expect(JSON.stringify(actions)).toContain(
    JSON.stringify({
      label: 'Extend 1 hour',
      action: { kind: 'extend-end', account: 'lab', rule: 'rule-soon' },
    }),
  )
  expect(JSON.stringify(actions)).toContain(
    JSON.stringify({
      label: 'Keep machine',
      action: { kind: 'cancel-end', account: 'lab', rule: 'rule-soon' },
    }),
  )
})
