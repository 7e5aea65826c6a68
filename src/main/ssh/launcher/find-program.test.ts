import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { noKnownHostsCommand } from './ssh-arguments'
import { findProgram, findSsh, knowsOptions, variable } from './find-program'

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-path-'))
const first = join(folder, 'first')
const second = join(folder, 'with space')
for (const each of [first, second]) mkdirSync(each)
writeFileSync(join(first, 'term-a'), 'not a program')
mkdirSync(join(first, 'term-b'))
for (const name of ['term-a', 'term-b']) writeFileSync(join(second, name), '#!/bin/sh\n', { mode: 0o755 })
mkdirSync(join(folder, 'Some.app'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const env = { PATH: `relative::${first}:${second}` }

describe('a program', () => {
  it('is the first executable on PATH', async () => {
    chmodSync(join(first, 'term-a'), 0o644)
    await expect(findProgram(['term-a'], 'linux', env)).resolves.toBe(join(second, 'term-a'))
    await expect(findProgram(['none', 'term-b'], 'linux', env)).resolves.toBe(join(second, 'term-b'))
  })

  it('is not found if there is none', async () => {
    await expect(findProgram(['none'], 'linux', env)).resolves.toBeNull()
    await expect(findProgram(['none'], 'linux', {})).resolves.toBeNull()
  })

  it('named ssh is never the one of a running AppImage', async () => {
    for (const place of [first, second]) writeFileSync(join(place, 'ssh'), '#!/bin/sh\n', { mode: 0o755 })
    await expect(findSsh('linux', env)).resolves.toBe(join(first, 'ssh'))
    await expect(findSsh('linux', { ...env, APPDIR: first })).resolves.toBe(join(second, 'ssh'))
  })

  it('can be an application of macOS', async () => {
    const app = join(folder, 'Some.app')
    await expect(findProgram(['/nowhere/Some.app', app], 'darwin', {})).resolves.toBe(app)
    await expect(findProgram([app], 'linux', {})).resolves.toBeNull()
  })
})

it('ssh is asked whether it knows an option', async () => {
  const older = join(folder, 'older')
  const refuse = 'case "$*" in *KnownHostsCommand*) echo "Bad configuration option" >&2; exit 255;; esac'
  writeFileSync(older, `#!/bin/sh\n${refuse}\n`, { mode: 0o755 })
  await expect(knowsOptions(older, noKnownHostsCommand, env)).resolves.toBe(false)
  await expect(knowsOptions(older, [], env)).resolves.toBe(true)
  await expect(knowsOptions(join(folder, 'none'), [], env)).resolves.toBe(false)
})

it('variables of Windows are read in any case', () => {
  expect(variable({ Path: 'x' }, 'PATH')).toBe('x')
  expect(variable({}, 'PATH')).toBeUndefined()
})
