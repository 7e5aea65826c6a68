import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findProgram } from '../../../test/fixtures/system-requirements'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import type { SshConnection } from '../ssh/client/transport'
import { differingFiles, shellFor } from './checksums'
import { jobFile } from './transfer-job'

/** Runs commands in the shell of this computer. */
function shell() {
  const commands: string[] = []
  const exec: SshConnection['exec'] = (command) => {
    commands.push(command)
    return new Promise((resolve) => {
      execFile('/bin/sh', ['-c', command], (error, stdout, stderr) => {
        resolve({ kind: 'finished', stdout, stderr, status: error ? 1 : 0 })
      })
    })
  }
  return { commands, exec }
}

/** Makes files in a folder, with the digests of their copies. */
function copied(names: readonly string[]) {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return names.map((name) => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, name)
    const file = jobFile(path, path, name.length, false)
    file.digest = createHash('sha256').update(name).digest('hex')
    return file
  })
}

it.runIf(process.platform === 'linux')(
  'files in any folder and with any name have their checksums compared',
  async () => {
    const names = ['a/b/c', 'a/bb', "it's $(here) `now`", '-c', 'a/ü 中', '*', '~/x']
    const files = copied(names)
    const { signal } = new AbortController()
    expect(await differingFiles(files, shell(), signal)).toEqual([])
    const [first, , third] = files
    for (const file of [first, third]) if (file) writeFileSync(file.local, 'other')
    expect(await differingFiles(files, shell(), signal)).toEqual([first, third])
    expect(await differingFiles(files.slice(0, 1), shell(), signal)).toEqual([first])
    rmSync(files[1]?.local ?? '')
    expect(await differingFiles(files, shell(), signal)).toBe('unknown')
  },
)

it.runIf(process.platform === 'linux' && findProgram('openssl'))(
  'checksums come from OpenSSL if the machine has it',
  async () => {
    const files = copied(['a', "it's $(here)", '-c'])
    const { signal } = new AbortController()
    const { exec, commands } = shell()
    const { by, carriesFiles } = await shellFor(files, exec, signal)
    expect([by, carriesFiles]).toEqual(['openssl', true])
    expect(await differingFiles(files, { exec }, signal, by)).toEqual([])
    if (files[1]) writeFileSync(files[1].local, 'other')
    expect(await differingFiles(files, { exec }, signal, by)).toEqual([files[1]])
    expect(commands.join()).not.toContain('sha256sum')
  },
)

it.runIf(process.platform === 'linux')('checksums come from sha256sum if OpenSSL fails', async () => {
  const files = copied(['a', 'b'])
  const { exec } = shell()
  const withoutOpenssl: typeof exec = (command) => exec(command.replace('openssl', 'false'))
  const { signal } = new AbortController()
  expect(await differingFiles(files, { exec: withoutOpenssl }, signal, 'openssl')).toEqual([])
})

it('no command runs on Windows', async () => {
  const asked = shellFor(
    [jobFile('/C:/a', '', 1, true)],
    () => expect.fail('a command'),
    new AbortController().signal,
  )
  expect(await asked).toEqual({ by: 'sha256sum', carriesFiles: false })
})

it.runIf(process.platform === 'linux')('one command computes hundreds of checksums', async () => {
  const files = copied(Array.from({ length: 2_000 }, (_, index) => `${index % 20}/${index}.txt`))
  const { exec, commands } = shell()
  expect(await differingFiles(files, { exec }, new AbortController().signal)).toEqual([])
  expect(commands.length).toBeLessThan(5)
  expect(Math.max(...commands.map(({ length }) => length))).toBeLessThan(32_000)
})

it('one command reads at most 2 GiB', async () => {
  const gibibyte = 1024 ** 3
  const files = [1, 0.5, 1, 5, 0.5].map((size, at) => jobFile(`/srv/${at}`, '', size * gibibyte, true))
  const commands: string[] = []
  const exec: SshConnection['exec'] = (command) => {
    commands.push(command.replace(/^.*--|[|].*$/g, '').trim())
    const stdout = `${'0'.repeat(64)}\n`.repeat(command.match(/\.\/\d/g)?.length ?? 0)
    return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 0 })
  }
  await differingFiles(files, { exec }, new AbortController().signal)
  expect(commands).toEqual(['./0 ./1', './2', './3', './4'])
})

it.each([
  ['in pairs', {}, 1_000, 2],
  ['one after the other if each signs in again', { signsInAgain: true as const }, 1_000, 1],
  ['one after the other for many bytes', {}, 10_000_000, 1],
])('checksum commands run %s', async (_title, options, size, maxParallel) => {
  const files = Array.from({ length: 3_000 }, (_, at) => jobFile(`/srv/${at}`, '', size, false))
  let [running, seen] = [0, 0]
  const exec: SshConnection['exec'] = async (command) => {
    running += 1
    seen = Math.max(seen, running)
    await Promise.resolve()
    running -= 1
    const stdout = `${'0'.repeat(64)}\n`.repeat(command.match(/\.\/\d/g)?.length ?? 0)
    return { kind: 'finished', stdout, stderr: '', status: 0 }
  }
  await differingFiles(files, { exec, ...options }, new AbortController().signal)
  expect(seen).toBe(maxParallel)
})
