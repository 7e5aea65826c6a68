import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import {
  fingerprintBySsh,
  freePort,
  makeKey,
  startSshd,
  temporaryFolder,
} from '../../../../test/fixtures/sshd'
import { fingerprint, type HostKey } from './host-key'
import { askHostKey, hostAndPort, judgeHostKey, preferredAlgorithms } from './host-key-check'

const folder = temporaryFolder()
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const host = '127.0.0.1'

/** A server that is no sshd. `greet` handles each connection. */
const serve = async (greet: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    greet(socket)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      sockets.forEach((socket) => socket.destroy())
      server.close(() => {
        resolve()
      })
    })
  return { port, close }
}

describe('asking for a host key', () => {
  it('reports why nothing answers', async () => {
    await expect(askHostKey(host, await freePort(), [], 5)).resolves.toEqual({
      kind: 'cannot-connect',
      reason: 'ECONNREFUSED',
    })
  })

  it('ends at its limit for a silent host', async () => {
    const silent = await serve(() => undefined)
    await expect(askHostKey(host, silent.port, [], 0.2)).resolves.toEqual({ kind: 'timed-out', seconds: 0.2 })
    await silent.close()
  })

  it('ends at its limit for a host that only sends its version', async () => {
    const stuck = await serve((socket) => socket.write('SSH-2.0-stuck\r\n'))
    await expect(askHostKey(host, stuck.port, [], 0.2)).resolves.toEqual({ kind: 'timed-out', seconds: 0.2 })
    await stuck.close()
  })

  it.each([
    ['hangs up', (socket: Socket) => socket.end()],
    ['greets and hangs up', (socket: Socket) => socket.end('SSH-2.0-short\r\n')],
    ['speaks HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['speaks the first version of SSH', (socket: Socket) => socket.end('SSH-1.5-old\r\n')],
    ['sends noise', (socket: Socket) => socket.end(Buffer.alloc(100_000, 7))],
  ])('fails for a host that %s', async (_what, greet) => {
    const odd = await serve(greet)
    await expect(askHostKey(host, odd.port, [], 5)).resolves.toMatchObject({ kind: 'cannot-connect' })
    await odd.close()
  })

  it('asks for the recorded type first, as ssh does', () => {
    expect(preferredAlgorithms([])[0]).toBe('ssh-ed25519')
    const forRsa = preferredAlgorithms([{ type: 'ssh-rsa', blob: '' }])
    expect(forRsa.slice(0, 4)).toEqual(['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa', 'ssh-ed25519'])
    expect(forRsa).toHaveLength(preferredAlgorithms([]).length)
  })
})

describeWith(['sshd', 'ssh'], 'a real sshd', () => {
  const rsa = join(folder, 'rsa')
  const ecdsa = join(folder, 'ecdsa')
  const ed25519 = join(folder, 'ed25519')
  beforeAll(() => {
    makeKey(rsa, 'rsa')
    makeKey(ecdsa, 'ecdsa')
    makeKey(ed25519)
  })

  it.each([
    ['ssh-ed25519', ed25519],
    ['ecdsa-sha2-nistp256', ecdsa],
    ['ssh-rsa', rsa],
  ])('is asked for its recorded key: %s', async (type, path) => {
    const sshd = await startSshd({ hostKeys: [rsa, ecdsa, ed25519], admits: ed25519 })
    const answer = await askHostKey(host, sshd.port, [{ type, blob: 'recorded' }], 5)
    await sshd.close()
    expect(answer).toMatchObject({ kind: 'offered', key: { type } })
    expect(answer.kind === 'offered' && fingerprint(answer.key)).toBe(fingerprintBySsh(path))
  })

  it('sees no attempt to sign in', async () => {
    const sshd = await startSshd({ hostKeys: [ed25519], admits: ed25519 })
    await askHostKey(host, sshd.port, [], 5)
    await sshd.logged(/Connection (closed|reset)|Disconnected|disconnect/)
    await sshd.close()
    expect(sshd.log()).not.toMatch(/Failed|Invalid user|Accepted|user nobody/)
  })
})

describe('judging the answer', () => {
  const at = hostAndPort('10.0.0.5', 22)
  const recorded: HostKey = { type: 'ssh-ed25519', blob: 'AAAA' }
  const another: HostKey = { type: 'ssh-ed25519', blob: 'BBBB' }
  const otherType: HostKey = { type: 'ssh-rsa', blob: 'CCCC' }
  const changed = (known: HostKey, offered: HostKey): unknown =>
    expect.objectContaining({
      failure: {
        kind: 'host-key-changed',
        host: '10.0.0.5:22',
        known: fingerprint(known),
        offered: fingerprint(offered),
      },
    })

  it.each([false, true])('accepts a first contact and a recorded key (anyway: %s)', (anyway) => {
    judgeHostKey(at, [], { kind: 'offered', key: recorded }, anyway)
    judgeHostKey(at, [recorded], { kind: 'offered', key: recorded }, anyway)
    judgeHostKey(at, [otherType, recorded], { kind: 'offered', key: recorded }, anyway)
  })

  it.each([false, true])('stops at another key (anyway: %s)', (anyway) => {
    expect(() => {
      judgeHostKey(at, [recorded], { kind: 'offered', key: another }, anyway)
    }).toThrow(changed(recorded, another))
  })

  it('stops at a key of another type, as the recorded type was asked for first', () => {
    expect(() => {
      judgeHostKey(at, [recorded], { kind: 'offered', key: otherType }, true)
    }).toThrow(changed(recorded, otherType))
  })

  it('leaves a recorded type that ssh2 can’t ask for to ssh', () => {
    const securityKey: HostKey = { type: 'sk-ssh-ed25519@openssh.com', blob: 'DDDD' }
    judgeHostKey(at, [securityKey], { kind: 'offered', key: recorded }, false)
  })

  it('leaves a host without a common algorithm to ssh', () => {
    judgeHostKey(at, [recorded], { kind: 'not-understood' }, false)
  })

  it('stops if nothing answers, unless the user connects anyway', () => {
    const silent = { kind: 'timed-out', seconds: 8 } as const
    const closed = { kind: 'cannot-connect', reason: 'ECONNREFUSED' } as const
    expect(() => {
      judgeHostKey(at, [recorded], silent, false)
    }).toThrow(expect.objectContaining({ failure: { kind: 'timed-out', host: at, seconds: 8 } }))
    expect(() => {
      judgeHostKey(at, [recorded], closed, false)
    }).toThrow(
      expect.objectContaining({ failure: { kind: 'cannot-connect', host: at, reason: 'ECONNREFUSED' } }),
    )
    judgeHostKey(at, [recorded], silent, true)
    judgeHostKey(at, [recorded], closed, true)
  })

  it('names an IPv6 host in brackets', () => {
    expect(hostAndPort('::1', 2222)).toBe('[::1]:2222')
  })
})
