import { expect, it, onTestFinished } from 'vitest'
import { dropbearTarget } from '../../../../test/fixtures/dropbear'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { transports } from '../../../../test/fixtures/system-ssh'
import { openConnection } from './connection'

describeWith(['dropbear', 'ssh', 'accounts'], 'a machine with dropbear', () => {
  // dropbear 2022.83 may close a channel before it reports the exit status (mkj/dropbear 220).
  it.each(transports)('reports the status of every command: %s', async (transport) => {
    const outcome = await openConnection(await dropbearTarget(transport), new AbortController().signal)
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    const { connection } = outcome
    onTestFinished(() => connection.close())
    const count = transport === 'ssh without sharing' ? 4 : 40
    for (let status = 0; status < count; status += 1)
      expect(await connection.exec(`echo out; echo err >&2; exit ${String(status)}`)).toMatchObject({
        kind: 'finished',
        stdout: 'out\n',
        stderr: 'err\n',
        status,
      })
    if (transport === 'ssh without sharing') return
    // Over the system's ssh dropbear loses the whole output of about 1 in 15 short commands that run at once.
    const commands = Array.from({ length: 8 }, (_, at) => connection.exec(`exit ${String(at)}`))
    const statuses = (await Promise.all(commands)).map((each) => each.kind === 'finished' && each.status)
    expect(statuses).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })
})
