import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SshLink } from '#shared/bridge/ssh-link'
import { createEmitter } from '#shared/emitter'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { machine } from '../../../test/fixtures/ssh-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { breakableLine, sshdTarget } from '../../../test/fixtures/tunnels-harness'

const mebibyte = 1024 * 1024

/** Starts an upload whose connection is cut, or becomes silent, after 3 MB. */
async function begun(how: 'cut' | 'silent') {
  const { target, line, sshdPort } = await sshdTarget()
  const fleet = createEmitter<null>()
  let place = target
  const harness = filesHarness(target, {
    machine: () => machine({ address: place.host }),
    onMachines: fleet.on,
    ssh: {
      reach: () => Promise.resolve({ kind: 'reachable', target: place }),
      record: () => expect.fail('no key is recorded'),
      onReachChange: () => () => undefined,
    },
  })
  await harness.look()
  const [source, remote] = [join(ownFolder(), 'big'), ownFolder()]
  writeFileSync(source, randomBytes(8 * mebibyte))
  const waiting = harness.until('waiting')
  if (how === 'cut') line.cutAfter(3 * mebibyte)
  else line.holdAfter(3 * mebibyte)
  await harness.upload(remote, source)
  if (how === 'cut') {
    await waiting
    line.down(true)
  } else await line.held()
  const link = async (): Promise<SshLink> =>
    (await harness.call['files.look']({ ...harness.where, looking: true })).link
  return {
    ...harness,
    target,
    line,
    sshdPort,
    link,
    isEqual: () => readFileSync(join(remote, 'big')).equals(readFileSync(source)),
    /** Reports a new address of the machine. */
    moves(to: Pick<typeof target, 'host' | 'port'>): void {
      place = { ...target, host: to.host, port: to.port }
      fleet.emit(null)
    },
  }
}

describeWith(['sshd'], 'a transfer that was interrupted', () => {
  it('continues at once when the network is back, even after a long time', async () => {
    const { clock, network, line, link, until, isEqual } = await begun('cut')
    network.lose()
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await expect.poll(async () => (await link()).kind).toBe('waiting')
      clock.advance(700)
    }
    await expect.poll(async () => (await link()).kind).toBe('waiting')
    line.down(false)
    network.comeBack()
    expect((await until('done')).state).toMatchObject({ verified: 'checksum' })
    expect(isEqual()).toBe(true)
  })

  it('continues at the machine’s new address', async () => {
    const { moves, sshdPort, until, isEqual } = await begun('silent')
    const { port } = await breakableLine(sshdPort)
    moves({ host: 'localhost', port })
    expect((await until('done')).state).toMatchObject({ verified: 'checksum' })
    expect(isEqual()).toBe(true)
  })

  it('stops and reports the changed host key if another machine has the new address', async () => {
    const { moves, link, call } = await begun('silent')
    const stranger = await sshdTarget()
    moves({ host: 'localhost', port: stranger.target.port })
    const stop = { kind: 'host-key-changed', host: `localhost:${String(stranger.target.port)}` }
    await expect.poll(link).toMatchObject({ kind: 'stopped', stop })
    expect(stranger.log()).not.toContain('Accepted')
    expect((await call['files.transfers']({}))[0]?.state).toEqual({ kind: 'waiting' })
  })
})
