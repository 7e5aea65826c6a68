import { expect, it } from 'vitest'
import { branchesTitle, lookTitle } from '#shared/bridge/last-look'
import { makeMachine } from '../../fixtures/machines'
import { shellOn } from '../../fixtures/shells'
import { runLine } from '../run-line'

const shell = shellOn(makeMachine({ workload: () => 'training' }))
const path = `${shell.home}/llama-train`

async function run(line: string): Promise<string> {
  let text = ''
  for (const execution = runLine(line, shell); ;) {
    const step = await execution.next()
    if (step.done) return step.value === 0 ? text : `${text}[${String(step.value)}]`
    text += step.value.data.toString()
  }
}
const look = () => run(`${lookTitle('delete')}\n`)
const branches = () => run(`${branchesTitle}\nat='${path}'\n`)

it('a push moves the branch of the remote, and the next look lists no commits', async () => {
  expect(await look()).toContain(`repository ${path}\nunpushed 0 1 2\ntagged 0 1 0\nchanges 0 3\n`)
  expect(await branches()).toContain('branch origin refs/heads/main refs/heads/main 2')
  const push = `env GIT_TERMINAL_PROMPT=0 git -C '${path}' push 'origin' 'refs/heads/main:refs/heads/main'`
  expect(await run(push)).toMatch(
    /^To git@git\.example\.com:lab\/llama-train\.git\n {3}\w{7}\.\.\w{7} {2}main -> main\n$/,
  )
  expect(await look()).toContain(`repository ${path}\nunpushed 0 1 0\ntagged 0 1 0\nchanges 0 3\n`)
  expect(await branches()).toContain('branch origin refs/heads/main refs/heads/main 0')
  expect(await run(push)).toBe('Everything up-to-date\n')
})

it('a repository is a folder with files, and is not listed after it was removed', async () => {
  expect(await run(`cat ${path}/.git/HEAD`)).toBe('ref: refs/heads/main\n')
  await run(`rm -r ${path}`)
  expect(await look()).not.toContain(path)
  expect(await run(`git -C ${path} push`)).toBe(`fatal: not a git repository: '${path}'\n[128]`)
})

it.each([
  ['git status', "git: 'status' is not a command of the sandbox\n[1]"],
  ['git -C dotfiles push other', "fatal: 'other' does not appear to be a git repository\n[128]"],
  ['git -C dotfiles push', 'Everything up-to-date\n'],
])('%s', async (line, output) => {
  expect(await run(line)).toBe(output)
})
