import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey, temporaryFolder } from '../../../../test/fixtures/sshd'
import { checkedIdentity, expandedPath, listIdentities } from './identities'

const home = temporaryFolder()
afterAll(() => {
  rmSync(home, { recursive: true })
})

const notAFile = expect.objectContaining({
  failure: { kind: 'invalid-input', field: 'identityFile', reason: 'not-a-file' },
})

it('no identities are found without ~/.ssh', async () => {
  await expect(listIdentities('/nowhere', 'linux')).resolves.toEqual([])
})

it.each([
  ['~/.ssh/id', '/home/jane', 'linux', '/home/jane/.ssh/id'],
  [' /keys//a/../id ', '/home/jane', 'darwin', '/keys/id'],
  ['~\\.ssh\\id', 'C:\\Users\\Jane Doe', 'win32', 'C:\\Users\\Jane Doe\\.ssh\\id'],
  ['c:/keys/id', 'C:\\Users\\jane', 'win32', 'c:\\keys\\id'],
  ['~other/id', '/home/jane', 'linux', '~other/id'],
] as const)('%j, typed with the home folder %s on %s, means %s', (typed, from, platform, path) => {
  expect(expandedPath(typed, from, platform)).toBe(path)
})

describeWith(['ssh'], 'private keys', () => {
  const folder = join(home, '.ssh')
  beforeAll(() => {
    mkdirSync(folder)
    makeKey(join(folder, 'id_ed25519'), 'ed25519', 'jane at work')
    makeKey(join(folder, 'work key'), 'rsa', '')
    makeKey(join(folder, 'alone'), 'ecdsa')
    renameSync(join(folder, 'alone.pub'), join(folder, 'moved.pub'))
    execFileSync('ssh-keygen', [
      '-q',
      '-t',
      'rsa',
      '-b',
      '2048',
      '-m',
      'PEM',
      '-N',
      'secret',
      '-f',
      join(folder, 'pem'),
    ])
    writeFileSync(join(folder, 'config'), 'Host *\n')
    writeFileSync(join(folder, 'known_hosts'), '')
    writeFileSync(join(folder, 'half'), '-----BEGIN OPENSSH')
    mkdirSync(join(folder, 'folder'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    symlinkSync(join(folder, 'id_ed25519'), join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    copyFileSync(join(folder, 'id_ed25519'), join(folder, 'id_${HOME}'))
  })

  it('in ~/.ssh are listed with type and comment of their public halves', async () => {
    await expect(listIdentities(home, 'linux')).resolves.toEqual([
      { path: join(folder, 'alone'), type: null, comment: null },
      { path: join(folder, 'id_ed25519'), type: 'ssh-ed25519', comment: 'jane at work' },
      { path: join(folder, 'link'), type: null, comment: null },
      { path: join(folder, 'pem'), type: 'ssh-rsa', comment: expect.any(String) },
      { path: join(folder, 'work key'), type: 'ssh-rsa', comment: null },
    ])
  })

  it('are accepted by path', async () => {
    await expect(checkedIdentity('~/.ssh/id_ed25519', home, 'linux')).resolves.toBe(
      join(folder, 'id_ed25519'),
    )
    await expect(checkedIdentity(join(folder, 'pem'), home, 'linux')).resolves.toBe(join(folder, 'pem'))
  })

  it.each(['id_ed25519.pub', 'config', 'half', 'folder', 'dangling', 'pipe', 'missing'])(
    'do not include %s',
    async (name) => {
      await expect(checkedIdentity(join(folder, name), home, 'linux')).rejects.toThrow(notAFile)
    },
  )

  it('must have an absolute path', async () => {
    await expect(checkedIdentity('id_ed25519', home, 'linux')).rejects.toThrow(notAFile)
    await expect(checkedIdentity('', home, 'linux')).rejects.toThrow(notAFile)
  })

  it('must have a name that ssh accepts as an argument', async () => {
    await expect(checkedIdentity(join(folder, 'id_${HOME}'), home, 'linux')).rejects.toThrow(
      expect.objectContaining({
        failure: { kind: 'invalid-input', field: 'identityFile', reason: 'malformed' },
      }),
    )
  })
})
