import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sshHarness } from '../../../../test/fixtures/ssh-harness'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { openConfigFiles } from './config-files'
import { namesInUse } from './names-in-use'

const { home, path } = sshHarness()
const inSsh = (name: string): string => join(home(), '.ssh', name)
const probe = 'Host train-01\n  Port 2222\n'

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o600 })
}

/** Returns whether OpenSSH, and whether we, find a host `train-01` in this configuration. */
async function findHost(text: string) {
  put(inSsh('config'), text)
  const env = { PATH: process.env['PATH'], HOME: home(), FOLDER: inSsh('conf.d') }
  const args = ['-F', inSsh('config'), '-G', 'train-01']
  const { stdout } = spawnSync('ssh', args, { env, encoding: 'utf8' })
  const configured = await openConfigFiles(home(), 'linux').hosts()
  const inUse = namesInUse(['train-01'], { configured, known: [], system: [] })
  return { bySsh: /^port 2222$/m.test(stdout), byUs: inUse.has('train-01') }
}

/** Every folder and file that the forms below name. */
function makeFiles(): void {
  for (const name of [
    'x',
    'conf.d/x',
    'a b',
    'it’s',
    'q"q',
    'p#p',
    'star*',
    'back\\slash',
    '%d/x',
    '${FOLDER}/x',
  ])
    put(inSsh(name), probe)
  chmodSync(path(), 0o755)
}

describeWith(['ssh'], 'a host of an included file is in use if OpenSSH finds it', () => {
  it.each([
    'conf.d/x',
    '~/.ssh/x',
    '=x',
    'conf.d/../x',
    '/nowhere nowhere/* conf.d/x',
    'x # comment',
    '"x"',
    "'x'",
    'conf.d"/x"',
    '"a b"',
    "'a b'",
    'a\\ b',
    'a" "b',
    '"it’s"',
    'q\\"q',
    "'q\"q'",
    '"p#p"',
    'p#p',
    'conf.d/*',
    '*/x',
    'conf?d/x',
    'c[o]nf.d/x',
    'c[!a]nf.d/x',
    'c[]o]nf.d/x',
    'c[a-p]nf.d/[w-y]',
    'c[[:alpha:]]nf.d/x',
    'c[![:digit:]]nf.d/x',
    'c[[:digit:]o]nf.d/x',
    'c[z-ao]nf.d/x',
    'c[\\o]nf.d/x',
    'star\\*',
    'star[*]',
    'co\\nf.d/x',
    'conf.d/\\x',
    'back\\\\\\\\slash',
    'c*\\.d/x',
    '**/**',
  ])('Include %s', async (name) => {
    makeFiles()
    expect(await findHost(`Include ${name}\n`)).toEqual({ bySsh: true, byUs: true })
  })

  it.each([
    '"Include" x',
    'Inc"lude" x',
    '"Include"x',
    'include=x',
    ' INCLUDE\t=\tx',
    'Match all\nInclude x',
  ])('written as %j', async (text) => {
    makeFiles()
    expect(await findHost(`${text}\n`)).toEqual({ bySsh: true, byUs: true })
  })

  it('of another user’s home folder', async () => {
    makeFiles()
    const name = `~${userInfo().username}/${'../'.repeat(20)}${inSsh('x')}`
    expect(await findHost(`Include "${name}"\n`)).toEqual({ bySsh: true, byUs: true })
  })

  // OpenSSH expands them since 9.9, and takes them literally before.
  it.each(['%d/x', '${FOLDER}/x', '${HOME}/.ssh/x', '%%d/x', '%u', '/%u/x', '%l', '${FOLDER}/[x]'])(
    'named with tokens or variables: %s',
    async (name) => {
      makeFiles()
      const { bySsh, byUs } = await findHost(`Include ${name}\n`)
      if (bySsh) expect(byUs).toBe(true)
    },
  )

  it('through as many files as ssh reads', async () => {
    for (let at = 0; at < 600; at += 1) put(inSsh(`many/${String(at)}`), at === 599 ? probe : 'Host other\n')
    expect(await findHost('Include many/*\n')).toEqual({ bySsh: true, byUs: true })
  })

  it('that is larger than a configuration', async () => {
    put(inSsh('x'), `${'# filler\n'.repeat(200_000)}${probe}`)
    expect(await findHost('Include x\n')).toEqual({ bySsh: true, byUs: true })
  })
})

describeWith(['ssh'], 'a host of a line is in use if OpenSSH finds it', () => {
  it.each([
    'Host train-01',
    'Host other train-01',
    'Host "train-01"',
    "Host 'train-01'",
    'Host tr"ain"-01',
    'Host=train-01',
    '"Host" train-01',
    'Ho"st" train-01',
    'host\ttrain-01',
    'Host train-* !train-02',
    'Host tr?in-01',
    'Host train-01 # a',
    'Match host train-01',
    'Match host other,train-01',
    'Match host "train-01"',
    'Match originalhost train-01',
    'Match "host" train-01',
    '"Match" host train-01',
    'Match host train-*',
    'Match !user nobody host train-01',
    'Match !host other host train-01',
    'Match final host train-01',
    'Match host=train-01',
  ])('%s', async (line) => {
    expect(await findHost(`${line}\n  Port 2222\n`)).toEqual({ bySsh: true, byUs: true })
  })
})
