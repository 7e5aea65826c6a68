import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pushCommand } from '#shared/bridge/last-look'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { branchesOf, branchesScript } from './branches'

const remote = 'remote origin https://anna:hunter2@git.example.com/x.git'

describe('the answer about branches', () => {
  it('has the branches with commits to push, their places, and remotes without secrets', () => {
    expect(
      branchesOf(
        [
          remote,
          'branch origin refs/heads/main refs/heads/main 2',
          'branch - - refs/heads/topic 1',
          'branch origin refs/heads/done refs/heads/done 0',
          'end',
        ].join('\n'),
      ),
    ).toEqual({
      remotes: [{ name: 'origin', url: 'https://anna:•••@git.example.com/x.git' }],
      branches: [
        { ref: 'refs/heads/main', remote: 'origin', target: 'refs/heads/main', commits: 2 },
        { ref: 'refs/heads/topic', remote: 'origin', target: 'refs/heads/topic', commits: 1 },
      ],
    })
  })

  it('has no branch without a remote, and none whose name is not one of Git', () => {
    expect(branchesOf('branch - - refs/heads/main 2\nend\n')?.branches).toEqual([])
    const hostile = ['refs/heads/a:b', '--force', 'refs/heads/a..b', '+refs/heads/main', 'refs/tags/v1']
    const lines = hostile.map((ref) => `branch origin refs/heads/main ${ref} 1`)
    expect(branchesOf([remote, ...lines, 'end'].join('\n'))?.branches).toEqual([])
  })

  it('is bounded, and shows no control characters', () => {
    const odd = 'remote origin https://x\u001B]0;title\u0007\u202E/y.git'
    const many = Array.from({ length: 5_000 }, (_, index) => `branch origin - refs/heads/b${String(index)} 1`)
    const places = branchesOf([odd, ...many, 'end'].join('\n'))
    expect(places?.remotes[0]?.url).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(places?.branches.length).toBeLessThanOrEqual(200)
    const endless = `${odd}\nbranch origin - ${'refs/heads/x'.repeat(100_000)} 1\n`
    expect(branchesOf(endless)).toBeNull()
    const hostile = 'branch origin - refs/heads/\u001B[31m 1'
    expect(branchesOf(`${odd}\n${hostile}\nend\n`)?.branches).toEqual([])
  })

  it('is null if it is incomplete', () => {
    expect(branchesOf(`${remote}\nbranch origin refs/heads/main refs/heads/main 2\n`)).toBeNull()
  })
})

describeWith(['git'], 'a push', () => {
  it('sends the branch that was shown to its remote, and is never forced', () => {
    const root = temporaryFolder()
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', HOME: root }
    const git = (at: string, ...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        cwd: at,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const run = (script: string): string =>
      execFileSync('sh', ['-c', script], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const place = join(root, "it's here")
    const far = join(root, 'far')
    mkdirSync(place)
    git(root, 'init', '-q', '--bare', '-b', 'main', far)
    git(place, 'init', '-q', '-b', 'main')
    writeFileSync(join(place, 'a'), 'a')
    git(place, 'add', '.')
    git(place, 'commit', '-qm', 'first')
    git(place, 'remote', 'add', 'origin', far)
    expect(branchesOf(run(branchesScript(place)))).toEqual({
      remotes: [{ name: 'origin', url: far }],
      branches: [{ ref: 'refs/heads/main', remote: 'origin', target: 'refs/heads/main', commits: 1 }],
    })
    const [branch] = branchesOf(run(branchesScript(place)))?.branches ?? []
    if (!branch) throw new Error('no branch')
    run(pushCommand(place, branch))
    expect(git(far, 'log', '--format=%s', 'main').trim()).toBe('first')
    expect(branchesOf(run(branchesScript(place)))?.branches).toEqual([])

    // Another history on the remote is refused.
    git(place, 'commit', '-q', '--amend', '-m', 'changed')
    expect(pushCommand(place, branch)).not.toMatch(/force|\+refs/)
    expect(() => run(pushCommand(place, branch))).toThrow('rejected')
    expect(git(far, 'log', '--format=%s', 'main').trim()).toBe('first')
  })
})
