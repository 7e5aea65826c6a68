// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { CallInput, Handlers } from '#shared/bridge/index'
import type { JobView } from '#shared/bridge/job'
import { looked } from '../../../../test/fixtures/last-look'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import LastLook from './LastLook.vue'

let window: Mounted
afterEach(() => window.unmount())

const machines = [machine({ id: 'm-1', name: 'one' }), machine({ id: 'm-2', name: 'two' })]
async function open(handlers: Partial<Handlers>, of = machines.slice(0, 1)) {
  const { seen, on } = emissions('leave')
  window = await mounted(
    () => h(LastLook, { account, machines: of, before: 'delete' as const, ...on }),
    handlers,
  )
  await window.settled()
  return { seen }
}

it('asks for the consent once, for all machines of the dialog, and looks after the answer', async () => {
  let isAllowed = false
  const answers: CallInput<'ssh.setConsents'>[] = []
  await open(
    {
      'lastLook.look': () => (isAllowed ? looked() : { kind: 'no-consent' }),
      'ssh.setConsents': (input) => {
        answers.push(input)
        isAllowed = true
        return { account, everyMachine: {}, machines: {} }
      },
    },
    machines,
  )
  expect(window.text()).toContain(t('lastLook.consent.text.delete'))
  await window.click(window.named(t('lastLook.consent.here', {}, 2)))
  await window.settled()
  expect(answers.map(({ machine: id, answers: given }) => [id, given])).toEqual([
    ['m-1', { look: true }],
    ['m-2', { look: true }],
  ])
  expect(window.text()).not.toContain(t('lastLook.consent.text.delete'))
  expect(window.all('h4').map((heading) => heading.textContent)).toEqual(['one', 'two'])
})

it('never shows a partial or failed look as clean', async () => {
  await open({ 'lastLook.look': () => looked({ gaps: [{ part: 'files', reason: 'out-of-time' }] }) })
  expect(window.text()).toContain(t('lastLook.nothingFound'))
  expect(window.text()).toContain(t('lastLook.problems.out-of-time'))
  expect(window.text()).not.toContain(t('lastLook.nothing.delete'))
  window.unmount()
  await open({ 'lastLook.look': () => ({ kind: 'stopped', state: { kind: 'lost' } }) })
  expect(window.find('[role=status]').textContent).toContain(t('lastLook.unsafe'))
  expect(window.text()).not.toContain(t('lastLook.nothing.delete'))
})

it('lists unsaved Git work, and looks again', async () => {
  let count = 0
  await open({
    'lastLook.look': () => {
      count += 1
      const repository = { path: '/home/a/r', changes: 3, unpushed: 1, tagged: 0, stashes: 0, problem: null }
      return count === 1 ? looked({ repositories: [repository] }) : looked()
    },
  })
  expect(window.find('li').textContent).toContain('/home/a/r')
  expect(window.find('li').textContent).toContain('3 uncommitted changes, 1 commit not pushed')
  await window.click(window.named(t('lastLook.again')))
  await window.settled()
  expect(window.text()).toContain(t('lastLook.nothing.delete'))
})

it('leaves the dialog for a terminal', async () => {
  const { seen } = await open({ 'lastLook.look': () => looked() })
  await window.click(window.named(t('lastLook.terminal')))
  expect(seen).toEqual([['leave']])
})

const push: JobView = {
  id: 'j-1',
  account,
  machine: 'm-1',
  machineName: 'one',
  name: 'git push',
  subject: {
    kind: 'command',
    process: { pid: 7, start: '1', user: 'a' },
    command: 'git push',
    id: 'c',
    isInTmux: false,
  },
  boot: 'b',
  since: 1,
  state: { kind: 'running' },
  link: null,
  isAllowed: true,
}

it.each([
  ['looks again after a push', 0, 2],
  ['keeps the log of a push that failed', 1, 1],
])('shows the log while a push runs, and %s, in the same dialog', async (_, code, looks) => {
  let count = 0
  const { seen } = await open({
    'lastLook.look': () => {
      count += 1
      return looked({
        repositories: [{ path: '/home/a/r', changes: 0, unpushed: 1, tagged: 0, stashes: 0, problem: null }],
      })
    },
    'lastLook.branches': () => ({
      kind: 'read',
      remotes: [{ name: 'origin', url: 'git@example.com:r.git' }],
      branches: [{ ref: 'refs/heads/main', remote: 'origin', target: 'refs/heads/main', commits: 1 }],
    }),
    'ssh.setConsents': () => ({ account, everyMachine: {}, machines: {} }),
    'jobs.watch': () => ({ kind: 'watching', job: push }),
    'jobs.log': () => ({ kind: 'log', text: 'rejected', isCut: false }),
  })
  await window.click(window.named(t('lastLook.push.open', { name: '/home/a/r' })))
  await window.settled()
  await window.click(window.named(t('lastLook.push.action')))
  await window.settled()
  expect(count).toBe(1)
  // Its readings also find out whether the push has ended.
  expect(window.text()).toContain('rejected')
  window.main.emit('jobs.changed', { account, jobs: [{ ...push, state: { kind: 'ended', at: 9, code } }] })
  await window.settled()
  expect([count, seen]).toEqual([looks, []])
  expect(window.text().includes('rejected')).toBe(code === 1)
})
