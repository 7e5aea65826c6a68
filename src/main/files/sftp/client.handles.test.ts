import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { openSftp, ReusedHandle } from './client'
import { fieldsOf, Packet, requestPacket } from './packet'

/** Runs a server that numbers handles like ssh_sftpd of Erlang/OTP 25: with three open handles, one is used twice. */
function erlangServer() {
  let open: readonly number[] = []
  let most = 0
  const newHandle = (): number => open.reduce((handle, used) => (used <= handle ? used + 1 : handle), 0)
  function answer(packet: Buffer): Buffer {
    const fields = fieldsOf(packet)
    const type = fields.byte()
    const id = fields.word()
    if (type === Packet.init) return requestPacket(Packet.version, 3, [])
    if (type === Packet.open) {
      const handle = newHandle()
      open = [handle, ...open]
      most = Math.max(most, open.length)
      return requestPacket(Packet.handle, id, [String(handle)])
    }
    const closed = Number(fields.bytes())
    open = open.filter((handle) => handle !== closed)
    return requestPacket(Packet.status, id, [0, '', ''])
  }
  const channel: Duplex = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += 4 + chunk.readUInt32BE(at))
        channel.push(answer(chunk.subarray(at + 4, at + 4 + chunk.readUInt32BE(at))))
      done()
    },
  })
  return { channel, most: () => most }
}

it('a channel ends if its server reuses an open handle, before two files are confused', async () => {
  const sftp = await openSftp(erlangServer().channel, fakeClock())
  const opened = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => sftp.open(name, 'new')))
  expect(opened.at(-1)).toMatchObject({ status: 'rejected', reason: { name: 'ReusedHandle' } })
  await expect(sftp.open('e', 'new')).rejects.toBeInstanceOf(ReusedHandle)
})

it('a channel that opens one file at a time waits until the previous file is closed', async () => {
  const server = erlangServer()
  const sftp = await openSftp(server.channel, fakeClock(), true)
  const names = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(names.map(async (name) => (await sftp.open(name, 'new')).close()))
  expect(server.most()).toBe(1)
})

it('a handle may be used again once its close was sent', async () => {
  const server = erlangServer()
  const sftp = await openSftp(server.channel, fakeClock())
  const first = await sftp.open('a', 'new')
  const [, second] = await Promise.all([first.close(), sftp.open('b', 'new')])
  await second.close()
  expect(server.most()).toBe(1)
})
