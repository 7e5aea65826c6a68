import { h } from 'vue'
import type { CommandState } from '#shared/bridge/command'
import RunDialog from '../../../src/renderer/features/commands/RunDialog.vue'
import RunResult from '../../../src/renderer/features/commands/RunResult.vue'
import RunResults from '../../../src/renderer/features/commands/RunResults.vue'
import type { MachineResult } from '../../../src/renderer/features/commands/use-run'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const result = (state: CommandState, stdout = '', stderr = ''): MachineResult => ({
  state,
  stdout: { first: stdout, leftOut: 0, last: '' },
  stderr: { first: stderr, leftOut: 0, last: '' },
})
const gpus = 'GPU 0: NVIDIA H100 80GB HBM3\nGPU 1: NVIDIA H100 80GB HBM3\n'
const succeeded = result({ kind: 'exited', code: 0 }, gpus)
const usual: readonly (readonly [name: string, result: MachineResult])[] = [
  ['train-llama-01', succeeded],
  ['train-llama-02', result({ kind: 'exited', code: 127 }, '', 'bash: nvidia-smi: command not found\n')],
  ['notebook-anna', result({ kind: 'running', since: now - 12 }, 'Fetched 12 of 40 packages\n')],
  ['eval-01', result({ kind: 'not-reached', reason: 'ECONNREFUSED' })],
  ['eval-02', result({ kind: 'timed-out', seconds: 60 }, 'waiting for a lock\n')],
  ['serve-embeddings', result({ kind: 'waiting' })],
  [
    'render-7',
    result({ kind: 'stopped', stop: { kind: 'host-key-changed', host: 'h', known: 'A', offered: 'B' } }),
  ],
  ['archive', result({ kind: 'exited', code: 0 })],
]
const results = (all: typeof usual, width = 980): GalleryState => ({
  width,
  render: () =>
    h(RunResults, {
      machines: all.map(([name]) => ({ id: name, name })),
      results: new Map(all),
    }),
})
const one = (name: string, of: MachineResult): GalleryState => ({
  width: 420,
  render: () => h('ul', h(RunResult, { name, result: of })),
})

export default [
  entry(RunDialog, {
    one: () => h(RunDialog, { account, machines: [machine()] }),
    many: () =>
      h(RunDialog, {
        account,
        machines: [
          machine(),
          machine({ id: 'b', name: texts.html }),
          machine({ id: 'c', status: 'stopped' }),
        ],
      }),
    none: () => h(RunDialog, { account, machines: [machine({ status: 'stopped' })] }),
  }),
  entry(RunResults, {
    usual: results(usual),
    narrow: results(usual.slice(0, 3), 360),
    one: results(usual.slice(0, 1)),
    'right to left': { ...results([[texts.rtl, succeeded]]), rtl: true },
  }),
  entry(RunResult, {
    succeeded: one('train-llama-01', succeeded),
    'left out': one('train-llama-01', {
      ...succeeded,
      stdout: { first: gpus, leftOut: 1_203_400, last: 'done\n' },
    }),
    hostile: one(texts.html, result({ kind: 'refused', reason: texts.control }, texts.control, texts.html)),
    'no commands': one('train-llama-01', result({ kind: 'not-begun', why: 'restricted', said: texts.html })),
    'unknown signal': one('train-llama-01', result({ kind: 'signalled', signal: null })),
    long: one(texts.long, result({ kind: 'signalled', signal: texts.long }, texts.huge)),
  }),
]
