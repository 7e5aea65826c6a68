import { randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import ssh2, { type AgentInboundRequest, type ParsedKey } from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { telemetryServer } from '../../../../test/fixtures/telemetry-harness'
import { openConnection } from './connection'
import type { KeyPlaces } from './agent-keys'
import { offeredKeys } from './offered-keys'

const newPair = () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
type Pair = ReturnType<typeof newPair>

const passphrase = 'a secret'

function parsed({ private: text }: Pair): ParsedKey {
  const key = ssh2.utils.parseKey(text, passphrase)
  return key instanceof Error ? expect.fail(key.message) : key
}

/** Starts an ssh-agent with these keys; returns its socket. */
async function startAgent(pairs: readonly Pair[]): Promise<string> {
  const keys = pairs.map(parsed)
  const server = createServer((socket) => {
    const agent = new ssh2.AgentProtocol(false)
    agent.on('identities', (request: AgentInboundRequest) => {
      agent.getIdentitiesReply(request, keys)
    })
    agent.on('sign', (request: AgentInboundRequest, wanted: ParsedKey, data: Buffer) => {
      const signature = keys
        .find((key) => key.getPublicSSH().equals(wanted.getPublicSSH()))
        ?.sign(data, 'sha256')
      if (Buffer.isBuffer(signature)) agent.signReply(request, signature)
      else agent.failureReply(request)
    })
    socket.on('error', () => undefined)
    socket.pipe(agent).pipe(socket)
  })
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\wheelhouse-${randomUUID()}` : join(newFolder(), 'agent')
  await once(server.listen(path), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return path
}

function newFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** A home with these files in its ~/.ssh. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = newFolder()
  mkdirSync(join(home, '.ssh'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.ssh', name), text)
  return home
}

const places = (home: string, socket?: string): KeyPlaces => ({
  home,
  platform: process.platform,
  env: { SSH_AUTH_SOCK: socket ?? join(home, 'nobody-listens') },
})

/** The names of the keys to offer. */
async function names(identityFile: string | null, from: KeyPlaces) {
  const offered = await offeredKeys('ubuntu', identityFile, from)
  return offered.kind === 'keys' ? offered.keys.map(({ name }) => name) : offered
}

describe('without an identity file', () => {
  it('there is no key without files and agent, also on Windows', async () => {
    const home = homeWith({})
    expect(await names(null, places(home))).toEqual({ kind: 'no-key' })
    expect(await names(null, { home, platform: 'win32', env: {} })).toEqual({ kind: 'no-key' })
  })

  it('there is no key with an empty agent', async () => {
    expect(await names(null, places(homeWith({}), await startAgent([])))).toEqual({ kind: 'no-key' })
  })

  it('the keys are unsupported if the agent has only hardware keys', async () => {
    const type = 'sk-ssh-ed25519@openssh.com'
    const text = (value: string | Buffer) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(value.length)
      return Buffer.concat([length, Buffer.from(value)])
    }
    const blob = Buffer.concat([text(type), text(Buffer.alloc(32)), text('ssh:')])
    const answer = text(Buffer.concat([Buffer.from([12, 0, 0, 0, 1]), text(blob), text('key of ada')]))
    const path = join(newFolder(), 'agent')
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(answer))
    })
    await once(server.listen(path), 'listening')
    onTestFinished(() => {
      server.close()
    })
    expect(await names(null, places(homeWith({}), path))).toEqual({ kind: 'keys-unsupported', types: [type] })
    const file = newPair()
    const home = homeWith({ id_ecdsa: file.private })
    expect(await names(null, places(home, path))).toEqual([join(home, '.ssh', 'id_ecdsa')])
  })

  it('a file whose key is also in the agent is offered once', async () => {
    const [held, other] = [newPair(), newPair()]
    const home = homeWith({ id_ecdsa: held.private, id_ed25519: other.private })
    const file = join(home, '.ssh', 'id_ed25519')
    expect(await names(null, places(home, await startAgent([held])))).toEqual(['ssh-agent', file])
    expect(await names(null, places(home))).toEqual([join(home, '.ssh', 'id_ecdsa'), file])
  })

  it('the keys of the agent sign in', async () => {
    const [stranger, known] = [newPair(), newPair()]
    const server = await telemetryServer([{ name: 'm1', publicKey: known.public }])
    const offer = await offeredKeys('ubuntu', null, places(homeWith({}), await startAgent([stranger, known])))
    if (offer.kind !== 'keys') expect.fail(offer.kind)
    const target = { user: 'ubuntu', host: '127.0.0.1', port: server.port(), keys: offer.keys }
    const { signal } = new AbortController()
    const first = await openConnection({ ...target, known: [] }, signal)
    if (first.kind !== 'host-key-unknown') expect.fail(first.kind)
    const second = await openConnection({ ...target, known: [first.key] }, signal)
    if (second.kind !== 'connected') expect.fail(second.kind)
    second.connection.close()
  })
})

it.skipIf(process.platform === 'win32')(
  'a pipe instead of a key file is no key and blocks nothing',
  async () => {
    const home = homeWith({ 'id_ecdsa.pub': 'ssh-ed25519 AAAA ada' })
    for (const name of ['id_rsa', 'id_ecdsa', 'id_ed25519', 'other', 'other.pub'])
      execFileSync('mkfifo', [join(home, '.ssh', name)])
    expect(await names(null, places(home))).toEqual({ kind: 'no-key' })
    const path = join(home, '.ssh', 'other')
    expect(await names(path, places(home))).toEqual({ kind: 'key-unusable', path, why: 'missing' })
  },
)

it('an identity file of a security key is unsupported, not malformed', async () => {
  const type = 'sk-ecdsa-sha2-nistp256@openssh.com'
  const home = homeWith({ id: 'not for ssh2', 'id.pub': `${type} AAAA ada` })
  const unusable = { kind: 'keys-unsupported', types: [type] }
  expect(await names(join(home, '.ssh', 'id'), places(home))).toEqual(unusable)
})

describe('an identity file with a passphrase', () => {
  const locked = () =>
    ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, passphrase, cipher: 'aes256-ctr', rounds: 1 })

  it('is offered through the agent only if the agent holds it', async () => {
    const pair = locked()
    // The public half in the file itself counts: the public key file may belong to another key.
    const home = homeWith({ id: pair.private, 'id.pub': newPair().public })
    const file = join(home, '.ssh', 'id')
    expect(await names(file, places(home, await startAgent([newPair(), pair])))).toEqual([file])
    const stop = { kind: 'key-unusable', path: file, why: 'encrypted' }
    expect(await names(file, places(home, await startAgent([newPair()])))).toEqual(stop)
    expect(await names(file, places(home))).toEqual(stop)
  })

  it('is offered, like default files, if the user can enter its passphrase', async () => {
    const [pair, held, open] = [locked(), locked(), newPair()]
    const home = homeWith({
      id: pair.private,
      id_rsa: held.private,
      id_ecdsa: pair.private,
      id_ed25519: open.private,
    })
    const at = (name: string): string => join(home, '.ssh', name)
    const from = places(home, await startAgent([held]))
    const offered = async (path: string | null, isPreferred?: (key: Buffer) => boolean) => {
      const offer = await offeredKeys('ubuntu', path, from, isPreferred, () => expect.fail('asked too soon'))
      return offer.kind === 'keys' ? offer.keys.map(({ name }) => name) : offer
    }
    expect(await offered(at('id'))).toEqual([at('id')])
    expect(await offered(null)).toEqual(['ssh-agent', at('id_ecdsa'), at('id_ed25519')])
    const isPreferred = (key: Buffer): boolean => key.equals(parsed(pair).getPublicSSH())
    expect(await offered(null, isPreferred)).toEqual([at('id_ecdsa'), 'ssh-agent', at('id_ed25519')])
  })
})
