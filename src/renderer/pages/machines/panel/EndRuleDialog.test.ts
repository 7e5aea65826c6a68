// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { CallInput } from '#shared/bridge/index'
import type { JobView } from '#shared/bridge/job'
import { emissions, mounted, type Mounted } from '../../../../../test/gallery/mounted'
import { account, endRuleView, machine, now } from '../../../../../test/gallery/world'
import { t } from '../../../platform/i18n'
import EndRuleDialog from './EndRuleDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

async function open(jobs: readonly JobView[] = [], rule: EndRuleView | null = null) {
  const { seen, on } = emissions('close')
  const armed: CallInput<'endRules.arm'>[] = []
  const consents: CallInput<'ssh.setConsents'>[] = []
  window = await mounted(
    () => h(EndRuleDialog, { account, machine: machine({ id: 'm-1', name: 'train' }), ...on }),
    {
      'cost.resources': () => {
        throw new Error('no costs')
      },
      'jobs.list': () => [...jobs],
      'endRules.list': () => (rule ? [rule] : []),
      'ssh.setConsents': (input) => {
        consents.push(input)
        return { account, everyMachine: {}, machines: {} }
      },
      'endRules.arm': (input) => {
        armed.push(input)
        return endRuleView({ ...input, dueAt: null })
      },
    },
  )
  await window.settled()
  return { seen, armed, consents }
}
const select = (name: string) => window.click(window.named(name))

it('begins with the end that is armed', async () => {
  const { armed } = await open(
    [],
    endRuleView({
      machine: 'm-1',
      name: 'train',
      action: 'stop',
      when: { kind: 'idle', seconds: 5_400 },
      dueAt: null,
    }),
  )
  await window.submit()
  expect(armed).toMatchObject([{ action: 'stop', when: { kind: 'idle', seconds: 5_400 } }])
})

it('a deletion is armed by typing the name, and allows the look at this machine', async () => {
  const { seen, armed, consents } = await open()
  await window.submit()
  expect(armed).toEqual([])
  await window.type(window.field(t('machineActions.typeName', { machine: 'train' })), 'train')
  await window.submit()
  await window.settled()
  expect(consents).toEqual([{ account, machine: 'm-1', answers: { look: true } }])
  expect(armed).toMatchObject([{ machine: 'm-1', name: 'train', action: 'delete', when: { kind: 'at' } }])
  expect(seen).toEqual([['close']])
  // The look ahead fails.
  expect(window.text()).toContain(t('endRules.unseen.delete', { machine: 'train' }))
})

it('a stop shows that it is still billed, and recommends a deletion for idle machines', async () => {
  const { armed, consents } = await open()
  await select(t('endRules.dialog.stop'))
  expect(window.text()).toContain(t('endRules.dialog.stillBilled'))
  expect(window.text()).not.toContain(t('endRules.dialog.recommended'))
  await select(t('endRules.dialog.kinds.idle'))
  expect(window.text()).toContain(t('endRules.dialog.recommended'))
  await window.type(window.field(t('endRules.dialog.idleHours')), '0.1')
  expect(window.text()).toContain(t('endRules.dialog.invalidHours'))
  await window.submit()
  expect(armed).toEqual([])
  await window.type(window.field(t('endRules.dialog.idleHours')), '1.5')
  await window.submit()
  await window.settled()
  expect(armed).toMatchObject([{ action: 'stop', when: { kind: 'idle', seconds: 5_400 } }])
  expect(consents).toEqual([])
  expect(window.main.calls.some(([name]) => name === 'lastLook.look')).toBe(false)
})

it('asks for the look before a stop, which may be declined', async () => {
  const { armed, consents } = await open()
  await select(t('endRules.dialog.stop'))
  expect(window.text()).toContain(t('endRules.dialog.lookBeforeStopText'))
  await window.click(window.find('[role=checkbox]'))
  await window.submit()
  await window.settled()
  expect(consents).toEqual([{ account, machine: 'm-1', answers: { look: true } }])
  expect(armed).toMatchObject([{ action: 'stop' }])
  // The first look runs now, so that the user can confirm a host key.
  expect(window.main.calls).toContainEqual(['lastLook.look', { account, machine: 'm-1', before: 'stop' }])
  expect(window.text()).toContain(t('endRules.unseen.stop', { machine: 'train' }))
})

it('a budget needs a known cost', async () => {
  await open()
  await select(t('endRules.dialog.kinds.budget'))
  expect(window.text()).toContain(t('endRules.dialog.noPrice'))
})

it('a program that runs as a job can end the machine', async () => {
  const job: JobView = {
    id: 'j-1',
    account,
    machine: 'm-1',
    machineName: 'train',
    name: 'python train.py',
    subject: {
      kind: 'process',
      process: { pid: 42, start: '7', user: 'jo' },
      command: 'python train.py',
      log: null,
    },
    boot: '',
    since: now,
    state: { kind: 'running' },
    link: null,
    isAllowed: true,
  }
  const { armed } = await open([
    { ...job, id: 'j-2', subject: { kind: 'idle', minutes: 15 } },
    { ...job, id: 'j-3', state: { kind: 'ended', at: now, code: 0 } },
    job,
  ])
  await select(t('endRules.dialog.stop'))
  await select(t('endRules.dialog.kinds.job'))
  expect(window.all('option').map(({ textContent }) => textContent)).toEqual(['python train.py'])
  await window.submit()
  await window.settled()
  expect(armed.map(({ when }) => when)).toEqual([{ kind: 'job', job: 'j-1', name: 'python train.py' }])
})
