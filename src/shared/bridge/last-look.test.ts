import { expect, it } from 'vitest'
import { looked } from '../../../test/fixtures/last-look'
import { lookCounts } from './last-look'

const unread = { path: '/r', changes: null, unpushed: null, tagged: null, stashes: null, problem: 'cut-off' }

it('a repository that could not be read makes a look incomplete, but is not counted as work', () => {
  const outcome = looked({
    repositories: [unread, { ...unread, path: '/s', unpushed: 2 }],
    sessions: [
      { tool: 'job', name: 'train' },
      { tool: 'tmux', name: 'work' },
    ],
  })
  if (outcome.kind !== 'looked') throw new Error('no look')
  expect(lookCounts(outcome.look)).toEqual({
    repositories: 1,
    programs: 0,
    sessions: 1,
    jobs: 1,
    files: 0,
    isComplete: false,
  })
})
