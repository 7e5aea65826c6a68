import { systemClock } from '../../src/main/core/clock'
import { hostPatternsIn, hostsIn, includesIn } from '../../src/main/ssh/aliases/ssh-config-parser'
import { parseListeners } from '../../src/main/tunnels/listeners'
import { readAnswer } from '../../src/main/service/answer'
import { createOutput } from '../../src/main/terminals/output'
import { plainNotes } from '../../src/main/updates/release-notes'
import type { GpuReport } from '#shared/bridge/gpu'
import { gpuReport, withDetails } from '../../src/main/gpu/tools/nvidia-smi'
import { rocmReport } from '../../src/main/gpu/tools/rocm-smi'
import { connectionLimits } from '../../src/main/ssh/client/target'
import type { Subject } from './exponent'

const emptyReport = {
  kind: 'gpus',
  tool: 'nvidia-smi',
  driver: null,
  gpus: [],
  processes: null,
  isDetailed: false,
  said: null,
} as const satisfies GpuReport

const filled = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size)

/** Parsers of text from a machine or a service, up to the size limit of each text. */
const text = (name: string, read: (size: number) => unknown, most = connectionLimits.output): Subject => ({
  name,
  first: Math.floor(most / 100),
  prepare: (size) => () => read(size),
})

export const texts: readonly Subject[] = [
  text('tables of nvidia-smi', (size) => {
    for (const shape of ['index\na\n', 'a b\n', 'index, ', 'a\n']) {
      const stdout = `index\n${filled(shape, size)}`
      gpuReport({ stdout, stderr: stdout, status: 0 })
      withDetails(emptyReport, `== processes\n${stdout.replaceAll('index', 'gpu_uuid')}`)
    }
  }),
  text('entries of rocm-smi', (size) => {
    const names = Array.from({ length: Math.floor(size / 10) }, (_, at) => `"k${String(at)}":""`)
    rocmReport({ stdout: `{"card0":{${names.join(',')}}}`, stderr: '', status: 0 })
  }),
  text('an SSH configuration', (size) => {
    for (const shape of [' ', 'a', 'host a ', 'a,', '"', '\\', 'Host a\n', 'Match host a\n', '*'])
      for (const line of [`Host a${filled(shape, size)}b`, `Match host ${filled(shape, size)}.`]) {
        hostsIn(line)
        hostPatternsIn(line)
        includesIn(line)
      }
  }),
  text('listeners', (size) => {
    for (const shape of ['a', '\r', ' ', 'LISTEN 1 1 ', 'a\r', 'a ', '("', 'LISTEN 1 1 a:1 *\n'])
      parseListeners(`LISTEN 1 1 a:1 ${filled(shape, size)} x\rz`)
  }),
  text(
    'release notes',
    (size) => {
      for (const shape of [' ', '\n', '<a', '<li ', '<script']) plainNotes(filled(shape, size))
    },
    16_000,
  ),
  text(
    'broken answers',
    (size) => {
      for (const shape of ['x', '\\"', '[', '{"a":'])
        readAnswer(
          {
            status: 200,
            contentType: 'application/json',
            retryAfter: null,
            redirectsTo: null,
            text: `{"status": true, "message": "${filled(shape, size)}`,
          },
          {},
          0,
        )
    },
    2_000_000,
  ),
  text(
    'output in single bytes',
    (size) => {
      const output = createOutput(systemClock)
      for (let at = 0; at < size; at += 1) output.push(Uint8Array.of(48 + (at % 10)))
    },
    1_000_000,
  ),
]
