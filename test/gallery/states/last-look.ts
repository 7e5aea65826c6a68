import { h } from 'vue'
import type { CallOutput } from '#shared/bridge/index'
import type { LastLook as Look, LookOutcome } from '#shared/bridge/last-look'
import LastLook from '../../../src/renderer/features/last-look/LastLook.vue'
import PushPanel from '../../../src/renderer/features/last-look/PushPanel.vue'
import { looked } from '../../fixtures/last-look'
import { never } from '../fake-main'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const repository = { changes: 3, unpushed: 2, tagged: 0, stashes: 1, problem: null }
const work: Partial<Look> = {
  repositories: [{ ...repository, path: '/home/ubuntu/llama-train' }],
  cleanRepositories: 4,
  programs: [{ pid: 4711, command: 'python3 train.py --config 8b.yaml' }],
  sessions: [{ tool: 'tmux', name: 'train' }],
  files: [
    { path: '/home/ubuntu/checkpoints/step-12000.pt', bytes: 14.2e9, at: now - 5_400, mount: null },
    { path: '/data/tokens.bin', bytes: 2e9, at: now - 90, mount: '/data' },
  ],
}
const hostile: Partial<Look> = {
  repositories: [texts.long, texts.html, texts.control, texts.rtl].map((path) => ({
    path,
    changes: null,
    unpushed: null,
    tagged: null,
    stashes: null,
    problem: texts.html,
  })),
  sessions: [{ tool: 'screen', name: texts.rtl }],
  gaps: [
    { part: 'gpus', reason: 'NVIDIA-SMI has failed because it couldn’t communicate with the driver.' },
    { part: 'files', reason: 'out-of-time' },
    { part: 'answer', reason: texts.html },
  ],
}
const state = (
  answer: () => LookOutcome | Promise<LookOutcome>,
  more: Partial<GalleryState> = {},
  before: 'stop' | 'delete' = 'delete',
  machines = [machine()],
): GalleryState => ({
  width: 480,
  render: () => h(LastLook, { account, machines, before }),
  handlers: { 'lastLook.look': answer },
  ...more,
})
const two = [machine(), machine({ id: 'm-idle', name: texts.html })]

const pushPanel = (answer?: () => CallOutput<'lastLook.branches'>): GalleryState => ({
  width: 480,
  render: () => h(PushPanel, { account, machine: machine(), path: '/home/ubuntu/llama-train' }),
  handlers: answer && { 'lastLook.branches': answer },
})

export default [
  entry(LastLook, {
    asking: state(() => ({ kind: 'no-consent' })),
    looking: state(() => never),
    work: state(() => looked(work)),
    'nothing found': state(() => looked()),
    'nothing to interrupt': state(() => looked({ before: 'stop' }), {}, 'stop'),
    'partly read': state(() => looked({ gaps: [{ part: 'files', reason: 'out-of-time' }] })),
    hostile: state(() => looked(hostile)),
    'right to left': state(() => looked(work), { rtl: true }),
    'not reached': state(() => ({
      kind: 'stopped',
      state: { kind: 'not-reached', reason: 'ECONNREFUSED' },
    })),
    several: state(() => looked(work), {}, 'delete', two),
  }),
  entry(PushPanel, {
    usual: pushPanel(),
    none: pushPanel(() => ({ kind: 'read', remotes: [], branches: [] })),
    unread: pushPanel(() => ({ kind: 'unread', reason: texts.html })),
    hostile: pushPanel(() => ({
      kind: 'read',
      remotes: [{ name: texts.long, url: texts.html }],
      branches: [{ ref: `refs/heads/${texts.rtl}`, remote: texts.long, target: texts.html, commits: 3 }],
    })),
    'not reached': pushPanel(() => ({
      kind: 'stopped',
      state: { kind: 'not-reached', reason: 'ECONNREFUSED' },
    })),
  }),
]
