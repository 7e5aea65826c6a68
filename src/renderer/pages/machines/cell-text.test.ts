import { expect, it } from 'vitest'
import { t } from '../../platform/i18n'
import { cellText } from './cell-text'
import { machineNamed } from './machine.fixture'

const machine = machineNamed('train-01')
const none = t('common.none')

it('says for how long a machine is up, and nothing of one that is not', () => {
  const since = { ...machine, startedAt: 1_000 }
  expect(cellText({ ...since, status: 'running' }, 'uptime', 1_000 + 7_200)?.text).toBe('2 h')
  expect(cellText({ ...since, status: 'stopped' }, 'uptime', 1_000 + 7_200)?.text).toBe(none)
})

it('says that the service said nothing', () => {
  const unknown = {
    ...machine,
    region: null,
    address: null,
    status: 'running',
    startedAt: null,
    flavor: { ...machine.flavor, name: null, gpu: null, gpuCount: null },
  }
  for (const column of ['flavor', 'gpu', 'region', 'address', 'uptime'] as const)
    expect(cellText(unknown, column, 0)?.text).toBe(none)
})

it('shows nothing invisible, and no end of a text that has none', () => {
  const hostile = { ...machine, region: `\u202E${'x'.repeat(100_000)}` }
  const { text, title } = cellText(hostile, 'region', 0) ?? { text: '' }
  expect(text).toMatch(/^\uFFFDx+…$/)
  expect([text.length, title?.length]).toEqual([200, 1_000])
})

it('leaves to the page what is more than text', () => {
  for (const column of ['name', 'state', 'load', 'perHour', 'soFar'] as const)
    expect(cellText(machine, column, 0)).toBeUndefined()
})
