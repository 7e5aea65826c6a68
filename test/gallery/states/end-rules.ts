import { h } from 'vue'
import type { EndRuleView, EndState } from '#shared/bridge/end-rule'
import type { JobView } from '#shared/bridge/job'
import EndRuleDialog from '../../../src/renderer/pages/machines/panel/EndRuleDialog.vue'
import EndRuleNotice from '../../../src/renderer/pages/machines/panel/EndRuleNotice.vue'
import EndRuleSection from '../../../src/renderer/pages/machines/panel/EndRuleSection.vue'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, endRuleView, machine, now } from '../world'

const listed = (changes?: Partial<EndRuleView>): GalleryState['handlers'] => ({
  'endRules.list': () => (changes ? [endRuleView(changes)] : []),
})
const unseenJob: JobView = {
  id: 'j',
  account,
  machine: 'm-train',
  machineName: 'train-llama-01',
  name: 'python train.py',
  subject: { kind: 'idle', minutes: 15 },
  boot: '',
  since: now,
  state: { kind: 'running' },
  link: null,
  isAllowed: false,
}
const section = (changes?: Partial<EndRuleView>): GalleryState => ({
  width: 420,
  render: () => h(EndRuleSection, { account, machine: machine() }),
  handlers: listed(changes),
})
const notice = (state: EndState, changes: Partial<EndRuleView> = {}): GalleryState => ({
  width: 420,
  render: () => h(EndRuleNotice, { account, machine: machine() }),
  handlers: listed({ state, dueAt: now + 840, ...changes }),
})
type Held = Extract<EndState, { kind: 'held' }>
const held = (why: Held['why'], found: Held['found'] = null): EndState => ({
  kind: 'held',
  why,
  at: now,
  failure: null,
  found,
})
const dialog = (name: string) => () => h(EndRuleDialog, { account, machine: machine({ name }) })

export default [
  entry(EndRuleSection, {
    none: section(),
    'at a time': section({}),
    idle: section({ action: 'stop', when: { kind: 'idle', seconds: 7_200 }, dueAt: null }),
    'after a job that may not be followed': {
      ...section({ when: { kind: 'job', job: 'j', name: 'python train.py' }, dueAt: null }),
      handlers: {
        ...listed({ when: { kind: 'job', job: 'j', name: 'python train.py' }, dueAt: null }),
        'jobs.list': () => [unseenJob],
      },
    },
    budget: section({ when: { kind: 'budget', budget: { currency: 'USD', millionths: 120_000_000 } } }),
  }),
  entry(EndRuleNotice, {
    warned: notice({ kind: 'warned', endsAt: now + 840 }),
    'warned of a stop': notice({ kind: 'warned', endsAt: now + 840 }, { action: 'stop' }),
    ending: notice({ kind: 'ending', isSent: false }),
    loss: notice(
      held('loss', { programs: 8, sessions: 2, jobs: 1, repositories: 3, files: 12, isComplete: true }),
    ),
    'partly read': notice(
      held('incomplete', { programs: 0, sessions: 0, jobs: 0, repositories: 0, files: 0, isComplete: false }),
    ),
    missed: notice(held('missed')),
    failed: notice({
      kind: 'held',
      why: 'failed',
      at: now,
      failure: { kind: 'refused-by-service', message: texts.html, status: 409 },
      found: null,
    }),
    'right to left': { ...notice({ kind: 'warned', endsAt: now + 840 }), rtl: true },
  }),
  entry(EndRuleDialog, {
    usual: dialog('train-llama-01'),
    hostile: dialog(texts.html),
  }),
]
