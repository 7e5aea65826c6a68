import { expect, it } from 'vitest'
import type { Creation, SetUp } from '#shared/bridge/creation'
import { translate } from '#shared/messages/index'
import { settledText } from './notice'

const located = { machine: 'm-1', found: false }
const creation = (changes: Partial<Creation>): Creation => ({
  id: 'c-1',
  request: 'r-1',
  account: 'a-1',
  kind: 'machine',
  name: 'train-1',
  sentAt: 0,
  flavor: 'f-1',
  cause: null,
  state: { kind: 'gone', ...located, why: 'stopped' },
  connect: 'none',
  services: 'none',
  usualSeconds: null,
  link: null,
  ...changes,
})
const ready = (setUp: SetUp) => ({ kind: 'ready', ...located, setUp, detail: null, log: null }) as const

it.each([
  ['a terminal', { connect: 'ended' }, 'No terminal was opened.'],
  ['services', { services: 'ended' }, 'Its services weren’t opened.'],
  ['both', { connect: 'ended', services: 'ended' }, 'No terminal was opened. Its services weren’t opened.'],
] as const)('a machine that is gone names the end of a wish for %s', (_, wishes, body) => {
  expect(settledText(creation(wishes), translate)).toEqual({
    title: 'train-1 was stopped',
    body,
    isGoodNews: false,
  })
})

it.each([
  ['done', 'train-1 is ready', true],
  ['degraded', 'train-1 is ready, with warnings', false],
  ['failed', 'train-1 is running, but its set-up failed', false],
] as const)('a set-up that is %s is good news only without errors', (setUp, title, isGoodNews) => {
  expect(settledText(creation({ state: ready(setUp) }), translate)).toMatchObject({ title, isGoodNews })
  const connects = settledText(creation({ state: ready(setUp), connect: 'due' }), translate)
  expect(connects).toMatchObject({ title: 'SSH answers on train-1', isGoodNews })
})

it.each(['failed', 'too-long'] as const)('commands that a %s set-up holds back are named once', (setUp) => {
  const ended = creation({ state: ready(setUp) })
  const { body, isGoodNews } = settledText(ended, translate, true)
  expect(body).toBe(`${settledText(ended, translate).body} The commands of its template weren’t started.`)
  expect(isGoodNews).toBe(false)
})
