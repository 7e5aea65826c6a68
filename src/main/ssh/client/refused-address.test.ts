import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { type Transport, transports } from '../../../../test/fixtures/system-ssh'
import { portOf, sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { openConnection } from './connection'
import { askHostKey } from './host-key-check'
import { refusedFor } from './refused-address'
import type { ConnectionTarget } from './target'

const { signal } = new AbortController()
const refusedHere = { kind: 'cannot-connect', reason: 'refused-for-a-while' }

/** A server that refuses every address as OpenSSH 9.8 refuses one with a penalty. */
async function refusing(): Promise<number> {
  const server = createServer(
    (socket) => void socket.on('error', () => undefined).end('Not allowed at this time\r\n'),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server)
}

describeWith(['sshd', 'ssh'], 'a server that refuses the address of this computer', () => {
  it.each(transports)('for a penalty is tried again when it expires: %s', async (transport) => {
    const { target } = await sshdTarget({}, transport)
    const port = await refusing()
    const moved = sshdTargetAt(target, port, transport)
    expect(await openConnection(moved, signal)).toEqual({ kind: 'refused-for-a-while', seconds: 60 })
    expect(await askHostKey('127.0.0.1', port, [], 10)).toEqual(refusedHere)
  })

  it.each(transports)('because of too many sign-ins is tried again later: %s', async (transport) => {
    const { target, sshdPort } = await sshdTarget({ MaxStartups: '1:100:1' }, transport)
    // A connection that never signs in takes the only place.
    const other = connect(sshdPort, '127.0.0.1')
    onTestFinished(() => void other.destroy())
    await once(other, 'data')
    expect(await openConnection(target, signal)).toEqual({ kind: 'refused-for-a-while', seconds: 30 })
    expect(await askHostKey(target.host, target.port, [], 10)).toEqual(refusedHere)
    other.destroy()
    await expect
      .poll(async () => (await askHostKey(target.host, target.port, [], 10)).kind, { timeout: 20_000 })
      .toBe('offered')
  })
})

/** The same machine at another port of loopback. */
function sshdTargetAt(target: ConnectionTarget, port: number, transport: Transport): ConnectionTarget {
  const { system } = target
  if (transport === 'ssh2' || !system) return { ...target, port }
  const args = system.ssh.args.map((arg) => (arg === String(target.port) ? String(port) : arg))
  return { ...target, port, system: { ...system, ssh: { ...system.ssh, args } } }
}

describe('the text of a refusal', () => {
  it.each([
    ['Not allowed at this time\r\n', 60],
    ['Exceeded MaxStartups\r\n', 30],
    ['debug1: kex_exchange_identification: banner line 0: Not allowed at this time', 60],
    ['SSH-2.0-OpenSSH_9.8\r\n', undefined],
    ['Welcome. Root is not allowed at this time of day.\r\n', undefined],
  ])('%j', (text, seconds) => expect(refusedFor(text)).toBe(seconds))
})
