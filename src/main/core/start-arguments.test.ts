import { expect, it } from 'vitest'
import { commandStart, createStarts } from './start-arguments'

it.each([
  [['ls', '--json'], { launch: [], words: ['ls', '--json'] }],
  [
    ['--no-sandbox', 'ssh', 'a', '--', 'ls', '-l'],
    { launch: ['--no-sandbox'], words: ['ssh', 'a', '--', 'ls', '-l'] },
  ],
  [['--help'], { launch: [], words: ['--help'] }],
  [['--version'], { launch: [], words: ['--version'] }],
  [['--no-sandbox', '--cli'], { launch: ['--no-sandbox'], words: [] }],
])('a packaged program runs the command %j', (args, expected) => {
  expect(commandStart(args, true)).toEqual(expected)
})

it.each([
  [[]],
  [['--hidden', '--ozone-platform=x11']],
  [['--askpass']],
  [['wheelhouse://machine/m1']],
  [['WHEELHOUSE://machine/m1', 'delete', 'a', '--yes-delete', 'a']],
  [['--cli', 'delete', 'wheelhouse://machine/m1']],
])('a packaged program with %j starts the application', (args) => {
  expect(commandStart(args, true)).toBeNull()
})

it('a checkout runs a command only after its mark', () => {
  expect(commandStart(['-r', 'loader', '/checkout', 'ls'], false)).toBeNull()
  expect(commandStart(['/checkout', '--user-data-dir=/data', '--cli', 'ls'], false)).toEqual({
    launch: ['/checkout', '--user-data-dir=/data'],
    words: ['ls'],
  })
})

it('starts wait in their order until they are handled', () => {
  const starts = createStarts()
  const handled: (readonly string[])[] = []
  starts.add(['one'])
  starts.add(['two'])
  starts.listen((args) => handled.push(args))
  starts.add(['three'])
  expect(handled).toEqual([['one'], ['two'], ['three']])
})
