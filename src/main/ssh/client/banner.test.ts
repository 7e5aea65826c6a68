import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemSsh } from '../../../../test/fixtures/system-ssh'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { collectBanner } from './banner'
import { openConnection } from './connection'
import { hostKeyOf } from './host-key'
import { keysIn } from './known-hosts'
import { outputLines } from './system-process'
import { connectionLimits, type ConnectionTarget } from './target'

const { signal } = new AbortController()
const link = 'To sign in, visit https://sign-in.example.org/a1b2c3'

function folderOf(): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const keyAt = (path: string, username: string) => {
  const key = ssh2.utils.parseKey(readFileSync(path))
  if (key instanceof Error) return expect.fail(key.message)
  return { name: path, method: { type: 'publickey' as const, username, key } }
}

type Place = Pick<ConnectionTarget, 'user' | 'port' | 'known'>
const clients = ['ssh2', 'the system’s ssh'] as const

/** A target that collects banners, for one of the two clients. */
function targetFor(
  client: (typeof clients)[number],
  folder: string,
  place: Place,
  identityFile: string,
  ...options: readonly string[]
) {
  const banners: string[] = []
  const more = options.flatMap((option) => ['-o', option])
  const ssh = systemSsh(folder, { ...place, identityFile, more })
  const target: ConnectionTarget = {
    ...place,
    host: '127.0.0.1',
    keys: [keyAt(identityFile, place.user)],
    banner: (text) => void banners.push(text),
    ...(client !== 'ssh2' && { system: { ssh, isNeeded: true } }),
  }
  return { target, banners }
}

describeWith(['sshd', 'ssh'], 'the banner of OpenSSH’s server', () => {
  const serve = async (folder: string, text: string) => {
    writeFileSync(join(folder, 'banner'), text)
    const [host, admitted, refused] = [join(folder, 'host'), join(folder, 'id'), join(folder, 'id2')] as const
    for (const path of [host, admitted, refused]) makeKey(path)
    const set = { Banner: join(folder, 'banner') }
    const server = await startSshd({ hostKeys: [host], admits: admitted, command: 'none', set })
    onTestFinished(() => server.close())
    const known = keysIn(`m1 ${readFileSync(`${host}.pub`, 'utf8')}`, 'm1')
    return { place: { user: server.user, port: server.port, known }, admitted, refused }
  }

  it.each(clients)('reaches the caller of %s if the key is refused', async (client) => {
    const folder = folderOf()
    const { place, refused } = await serve(folder, `Access is closed until Monday.\n\n${link}\n`)
    const { target, banners } = targetFor(client, folder, place, refused)
    expect(await openConnection(target, signal)).toMatchObject({ kind: 'key-refused' })
    expect(banners.at(-1)).toBe(`Access is closed until Monday.\n\n${link}`)
  })

  it.each(clients)('is not mistaken by %s for a reason', async (client) => {
    const folder = folderOf()
    const text = 'Permission denied (publickey).\nHost key verification failed.\n'
    const { place, admitted } = await serve(folder, text)
    const { target, banners } = targetFor(client, folder, place, admitted)
    const outcome = await openConnection(target, signal)
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    outcome.connection.close()
    expect(banners.at(-1)).toBe(text.trim())
  })
})

describeWith(['sshd', 'ssh'], 'the banner of a jump host', () => {
  it('reaches the caller of the system’s ssh', async () => {
    const folder = folderOf()
    const [host, key] = [join(folder, 'host'), join(folder, 'id')] as const
    for (const path of [host, key]) makeKey(path)
    writeFileSync(join(folder, 'banner'), `${link}\n`)
    const serve = async (set: Record<string, string>) => {
      const server = await startSshd({ hostKeys: [host], admits: key, command: 'none', set })
      onTestFinished(() => server.close())
      return server
    }
    const machine = await serve({})
    const jump = await serve({ AllowTcpForwarding: 'yes', Banner: join(folder, 'banner') })
    const accepting = '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'
    const proxy = `ssh -F none -i ${key} -p ${String(jump.port)} ${accepting} -W %h:%p ${jump.user}@127.0.0.1`
    const known = keysIn(`m1 ${readFileSync(`${host}.pub`, 'utf8')}`, 'm1')
    const place = { user: machine.user, port: machine.port, known }
    const { target, banners } = targetFor('the system’s ssh', folder, place, key, `ProxyCommand=${proxy}`)
    const outcome = await openConnection(target, signal)
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    outcome.connection.close()
    expect(banners).toEqual([link])
  })
})

describeWith(['ssh'], 'a server that sends a banner and waits for the user', () => {
  const limits = { ...connectionLimits, ready: 1 }
  const patientMs = 3_000

  /** Admits any key `patientMs` after its banner. */
  async function slowServer(banner: string | undefined) {
    const { private: hostKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    const config = { hostKeys: [hostKey], ...(banner !== undefined && { banner }) }
    const server = new ssh2.Server(config, (client) => {
      client.on('error', () => undefined)
      client.on('authentication', (attempt) => {
        if (attempt.method === 'none') attempt.reject(['publickey'])
        else if (attempt.method === 'publickey' && !attempt.signature) attempt.accept()
        else setTimeout(() => attempt.accept(), patientMs)
      })
      client.on('session', (accept) => void accept())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const key = ssh2.utils.parseKey(hostKey)
    if (key instanceof Error || typeof address !== 'object' || address === null)
      return expect.fail('no server')
    return { user: 'ubuntu', port: address.port, known: [hostKeyOf(key.getPublicSSH())] }
  }

  it.each(clients)('has more time with %s', async (client) => {
    const folder = folderOf()
    const identityFile = makeKey(join(folder, 'id'))
    const { target, banners } = targetFor(client, folder, await slowServer(`${link}\r\n`), identityFile)
    const outcome = await openConnection(target, signal, limits)
    if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
    outcome.connection.close()
    expect(banners).toEqual([link])
  })

  it.each(clients)('has no more time with %s if it sends none', async (client) => {
    const folder = folderOf()
    const identityFile = makeKey(join(folder, 'id'))
    const { target } = targetFor(client, folder, await slowServer(undefined), identityFile)
    expect(await openConnection(target, signal, limits)).toEqual({ kind: 'not-reached', reason: 'ETIMEDOUT' })
  })
})

describe('a collected banner', () => {
  const collected = (...pieces: readonly string[]): readonly string[] => {
    const reports: string[] = []
    const banner = collectBanner((text) => void reports.push(text))
    pieces.forEach(banner.push)
    return reports
  }

  it('contains no control characters, escape sequences or changes of direction', () => {
    expect(collected('\x1b[31mred\x1b[0m\x07\r\n\u202Etxt\tend\x1b]8;;https://a\x07x\n')).toEqual([
      'red\ntxt\tendx',
    ])
  })

  it('grows with further banners', () => {
    expect(collected('first\n', 'second\n')).toEqual(['first', 'first\nsecond'])
  })

  it('is bounded', () => {
    expect(collected('x'.repeat(100_000), 'y')).toEqual(['x'.repeat(4_000)])
  })
})

describe('lines of ssh during a sign-in', () => {
  it.each([
    ['CR LF', '\r\n'],
    ['LF', '\n'],
  ])('that end with %s are separated from a banner', (_, end) => {
    const messages: string[] = []
    const banners: string[] = []
    const lines = outputLines({
      message: (text) => void messages.push(text.trim()),
      banner: (text) => void banners.push(text.trim()),
      opened: () => undefined,
    })
    lines.push(`debug1: SSH2_MSG_SERVICE_ACCEPT received${end}Approve at ${link}\n`)
    lines.push(`debug1: Next authentication method: publickey${end}`)
    lines.push(`jane@host: Permission denied (publickey).${end}`)
    expect([banners, messages]).toEqual([
      [`Approve at ${link}`],
      ['jane@host: Permission denied (publickey).'],
    ])
  })
})

it.each([
  'no such identity: /home/anna/.ssh/gone: No such file or directory',
  '@         WARNING: UNPROTECTED PRIVATE KEY FILE!          @',
  "Permissions 0644 for '/home/anna/.ssh/id' are too open.",
  'This private key will be ignored.',
])('a message of the user’s own ssh is no banner: %s', (line) => {
  const banners: string[] = []
  const messages: string[] = []
  const output = outputLines({
    message: (text) => void messages.push(text),
    banner: (text) => void banners.push(text),
    opened: () => undefined,
  })
  output.push(`debug1: SSH2_MSG_SERVICE_ACCEPT received\n${line}\nWelcome\n`)
  expect(banners).toEqual(['Welcome\n'])
  expect(messages.join('')).toContain(line)
})
