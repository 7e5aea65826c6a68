import { expect, it } from 'vitest'
import { t } from '../../platform/i18n'
import { cellText } from './cell-text'
import { machineNamed } from './machine.fixture'

const machine = machineNamed('train-01')
const none = t('common.none')

it('the uptime is shown for running machines only', () => {
  const since = { ...machine, startedAt: 1_000 }
  expect(cellText({ ...since, status: 'running' }, 'uptime', 1_000 + 7_200)?.text).toBe('2 h')
  expect(cellText({ ...since, status: 'stopped' }, 'uptime', 1_000 + 7_200)?.text).toBe(none)
})

it('missing values are shown as missing', () => {
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

it('invisible characters are replaced and long texts are cut', () => {
  const hostile = { ...machine, region: `\u202E${'x'.repeat(100_000)}` }
  const { text, title } = cellText(hostile, 'region', 0) ?? { text: '' }
  expect(text).toMatch(/^\uFFFDx+…$/)
  expect([text.length, title?.length]).toEqual([200, 1_000])
})

it('columns with components have no text', () => {
  for (const column of ['name', 'state', 'load', 'perHour', 'soFar'] as const)
    expect(cellText(machine, column, 0)).toBeUndefined()
})
