import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { translate } from '#shared/messages/index'
import { commands } from './commands'
import { pages } from './open-page'
import { completionScript, shells } from './completion'

const parts = { pages, text: (path: string) => translate(`commandLine.${path}`) }

/** Words that bash offers for the last of `words`. */
const offered = (...words: readonly string[]): readonly string[] => {
  const script = [
    completionScript('bash', commands, parts),
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${String(words.length - 1)}`,
    '_wheelhouse',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n')
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n')
}

it('bash completes commands, their options and pages', () => {
  expect(offered('wheelhouse', 's')).toEqual(['show', 'start', 'stop', 'ssh'])
  expect(offered('wheelhouse', 'delete', '--y')).toEqual(['--yes-delete'])
  expect(offered('wheelhouse', 'open', 'b')).toEqual(['bare-metal', 'billing'])
})

it.each(shells)('the script for %s names every command', (shell) => {
  const script = completionScript(shell, commands, parts)
  for (const { name } of commands) expect(script).toContain(name)
  expect(script).not.toContain('commandLine.')
})

it('fish expects a value after an option that has one', () => {
  const script = completionScript('fish', commands, parts)
  expect(script).toMatch(/from delete' -l yes-delete -x$/m)
  expect(script).toMatch(/from ssh' -l anyway$/m)
})
