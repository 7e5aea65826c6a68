import { expect, it } from 'vitest'
import type { CommandState } from '#shared/bridge/command'
import { plainOutput, printedText, stateText, summaryText } from './run-text'

it.each([
  ['colours', '\u001b[1;31mred\u001b[0m plain', 'red plain'],
  [
    'titles, links and clipboards',
    '\u001b]0;evil\u0007a\u001b]8;;http://x\u001b\\b\u001b]52;c;eA==\u0007',
    'ab',
  ],
  ['the other screen and the cursor', '\u001b[?1049h\u001b[2J\u001b[5;1Hx\u001b7\u001bcy', 'xy'],
  ['C1 controls', 'a\u009b31mb', 'ab'],
  ['a string without an end, as text', '\u001b]0;title\nnext', '0;title\nnext'],
  ['other controls and directions, as marks', 'a\u0000b\u0008c\u202ed', 'a\uFFFDb\uFFFDc\uFFFDd'],
  ['progress, as it was last', ' 10%\r 50%\r100%\r\ndone\r', '100%\ndone'],
  ['tabs, which stay', 'a\tb\n', 'a\tb\n'],
])('printed output is shown as plain text: %s', (_name, printed, shown) => {
  expect(plainOutput(printed)).toBe(shown)
})

it('the text names the left-out output at its position', () => {
  expect(printedText({ first: 'a\n', leftOut: 12_345, last: 'z' })).toBe(
    'a\n\n… 12,345 characters left out …\nz',
  )
  expect(printedText({ first: '\u001b[3', leftOut: 0, last: '1mred' })).toBe('red')
})

it('a command that never started shows the machine’s message or the likely cause', () => {
  const state = { kind: 'not-begun', why: 'refused' } as const
  const title = 'The machine doesn’t run commands for this user'
  expect(stateText({ ...state, said: 'closed' }, 0)).toBe(`${title}: closed`)
  expect(stateText({ ...state, said: '' }, 0)).toMatch(
    /user\. It printed nothing\..* exec fish in ~\/\.bashrc/,
  )
})

it('the summary counts each outcome', () => {
  const states: CommandState[] = [
    ...Array.from({ length: 12 }, () => ({ kind: 'exited', code: 0 }) as const),
    { kind: 'exited', code: 3 },
    { kind: 'lost' },
    { kind: 'not-reached', reason: 'ECONNREFUSED' },
    { kind: 'unavailable', why: 'gone' },
    { kind: 'stopped', stop: { kind: 'host-key-changed', host: 'h', known: 'a', offered: 'b' } },
    { kind: 'timed-out', seconds: 60 },
    { kind: 'cancelled' },
    { kind: 'running', since: 5 },
    { kind: 'cancelled', mayRun: true },
    { kind: 'timed-out', seconds: 10, beforeStart: true },
  ]
  expect(summaryText(states)).toBe(
    '1 to go, 12 succeeded, 2 failed, 3 couldn’t be reached, 2 timed out, 2 cancelled',
  )
  expect(states.slice(11).map((state) => stateText(state, 12))).toEqual([
    'Succeeded',
    'Exit code 3',
    'Connection lost. It may still be running there.',
    'Couldn’t connect (ECONNREFUSED)',
    'This machine no longer exists.',
    'The host key has changed',
    'Timed out after 1 min',
    'Cancelled',
    'Running for 7 s',
    'Cancelled. It may still be running there.',
    'Timed out after 10 s, before the command started.',
  ])
})
