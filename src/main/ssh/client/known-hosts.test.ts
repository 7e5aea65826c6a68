import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { aliasSuffix, fingerprint, hostKeyAlias } from './host-key'
import { keysIn, openKnownHosts, without } from './known-hosts'

const ed25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIOvHQ7LsKvCJCqPUmtjudK+P/QdSMEGg1Y8tuJMzauyJ'
const other = 'AAAAC3NzaC1lZDI1NTE5AAAAIGZha2VmYWtlZmFrZWZha2VmYWtlZmFrZWZha2VmYWtl'
const account = 'abcdefghijkl'
const alias = hostKeyAlias(account, 'm1')
const text = [
  '# a comment',
  `${alias} ssh-ed25519 ${ed25519}`,
  `${hostKeyAlias(account, 'm2')},elsewhere ssh-ed25519 ${other} a comment`,
  `${hostKeyAlias('mnopqrstuvwx', 'm1')} ssh-ed25519 ${other}`,
  `@revoked * ssh-ed25519 ${other}`,
  'damaged line',
  '',
].join('\n')

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-known-'))
afterAll(() => {
  rmSync(root, { recursive: true })
})
const file = () => join(mkdtempSync(join(root, 'user-data-')), 'deep', 'known_hosts')

describe('the alias of a machine', () => {
  it('contains the account and the machine', () => {
    expect(alias).toBe('m1.abcdefghijkl.wheelhouse')
    expect(hostKeyAlias('mnopqrstuvwx', 'm1')).not.toBe(alias)
  })

  it.each(['UPPER', 'a b', 'a,b', '*', '../x', '$(id)', 'ü', '', 'a.b', '-o', 'x'.repeat(64)])(
    'is plain for the id %j',
    (id) => {
      expect(hostKeyAlias(account, id)).toMatch(/^sha256\.[0-9a-f]{32}\.abcdefghijkl\.wheelhouse$/)
    },
  )

  it('distinguishes ids that differ only in case', () => {
    expect(hostKeyAlias(account, 'M1')).not.toBe(hostKeyAlias(account, 'm1'))
  })
})

describe('the text of known_hosts', () => {
  it('contains the keys of an alias', () => {
    expect(keysIn(text, alias)).toEqual([{ type: 'ssh-ed25519', blob: ed25519, isUnseen: true }])
    expect(keysIn(text, 'elsewhere')).toEqual([{ type: 'ssh-ed25519', blob: other, isUnseen: true }])
    expect(keysIn(text, 'nobody')).toEqual([])
    expect(keysIn('', alias)).toEqual([])
  })

  it('loses only the entries of a forgotten account', () => {
    const left = without(text, (name) => name.endsWith(aliasSuffix(account)))
    expect(left.split('\n')).toEqual(text.split('\n').filter((line) => !line.includes('abcdefghijkl')))
  })
})

it('fingerprints have the format of ssh', () => {
  expect(fingerprint({ type: 'ssh-ed25519', blob: ed25519 })).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
})

describe('the known-hosts file', () => {
  it('is created for its owner only, with its folder', async () => {
    const path = file()
    await openKnownHosts(path).ensure()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('gets mode 0600 again after another program changed it', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    await hosts.ensure()
    writeFileSync(path, text, { mode: 0o644 })
    await hosts.ensure()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('is not written after the close, which waits for pending writes', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    const adding = hosts.add(alias, { type: 'ssh-ed25519', blob: ed25519 })
    await hosts.close()
    expect(readFileSync(path, 'utf8')).toBe(`${alias} ssh-ed25519 ${ed25519} seen\n`)
    await adding
    rmSync(path)
    await expect(hosts.ensure()).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    expect(existsSync(path)).toBe(false)
  })

  it('has no keys before it exists', async () => {
    const hosts = openKnownHosts(file())
    await expect(hosts.keys(alias)).resolves.toEqual([])
    await expect(hosts.forget(() => true)).resolves.toBeUndefined()
  })

  it('forgets one machine and leaves no temporary file', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    await hosts.ensure()
    writeFileSync(path, text)
    await hosts.forget((name) => name === alias)
    await expect(hosts.keys(alias)).resolves.toEqual([])
    await expect(hosts.keys('elsewhere')).resolves.toHaveLength(1)
    expect(readdirSync(join(path, '..'))).toEqual(['known_hosts'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('marks a key as unseen until the user has seen it', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    const key = { type: 'ssh-ed25519', blob: ed25519 }
    for (const name of ['m1', 'm2']) await hosts.add(name, { ...key, isUnseen: true })
    await hosts.add('m1', key)
    await hosts.add('m1', { ...key, isUnseen: true })
    expect(await hosts.keys('m1')).toEqual([key])
    expect(await hosts.keys('m2')).toEqual([{ ...key, isUnseen: true }])
    expect(readFileSync(path, 'utf8')).toBe(`m1 ssh-ed25519 ${ed25519} seen\nm2 ssh-ed25519 ${ed25519}\n`)
  })

  it('treats keys of ssh and of earlier versions as unseen', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    const key = { type: 'ssh-ed25519', blob: ed25519 }
    await hosts.ensure()
    writeFileSync(path, `m1,m3 ssh-ed25519 ${ed25519}\nm2 ssh-ed25519 ${ed25519} unseen\n`)
    for (const name of ['m1', 'm2']) expect(await hosts.keys(name)).toEqual([{ ...key, isUnseen: true }])
    for (const name of ['m1', 'm2']) await hosts.add(name, key)
    expect(readFileSync(path, 'utf8')).toBe(
      `m1,m3 ssh-ed25519 ${ed25519} seen\nm2 ssh-ed25519 ${ed25519} seen\n`,
    )
  })

  it('keeps a line that ssh appends during a rewrite', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    await hosts.ensure()
    writeFileSync(path, text)
    const line = `${hostKeyAlias(account, 'new')} ssh-ed25519 ${ed25519}\n`
    let appended = false
    await hosts.forget((name) => {
      // Between reading and writing.
      if (!appended) appendFileSync(path, line)
      appended = true
      return name === alias
    })
    await expect(hosts.keys(hostKeyAlias(account, 'new'))).resolves.toHaveLength(1)
    await expect(hosts.keys(alias)).resolves.toEqual([])
  })

  it('forgets many machines at once', async () => {
    const path = file()
    const hosts = openKnownHosts(path)
    await hosts.ensure()
    const names = Array.from({ length: 20 }, (_, index) => hostKeyAlias(account, `n${String(index)}`))
    writeFileSync(path, names.map((name) => `${name} ssh-ed25519 ${ed25519}\n`).join(''))
    await Promise.all(names.slice(1).map((gone) => hosts.forget((name) => name === gone)))
    expect(readFileSync(path, 'utf8')).toBe(`${String(names[0])} ssh-ed25519 ${ed25519}\n`)
  })
})
