import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import ssh2 from 'ssh2'
import type { ServicesView } from '#shared/bridge/tunnel'
import { expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { transports } from '../../../test/fixtures/system-ssh'
import { portOf, sshdTarget, tunnelsHarness } from '../../../test/fixtures/tunnels-harness'
import { read, webServer } from '../../../test/fixtures/web-server'
import { startServer, userKey } from '../../sandbox/ssh/fixtures/machines'

describeWith(['sshd'], 'the services of a machine', () => {
  it('are read once the user allows it, while the user looks at them, without the forwards’ own ports', async () => {
    const port = await webServer()
    const { target, line, sshdPort } = await sshdTarget()
    const { open, look, services, clock } = tunnelsHarness(target)
    expect(await look(true)).toMatchObject({ link: { kind: 'off', why: 'no-consent' }, report: null })
    const { localPort } = await open(port)
    const reported = services(({ report }) => report !== null)
    await look(true, true)
    const { report } = await reported
    const ports = report?.kind === 'services' ? report.services.map((service) => service.port) : []
    expect(ports).toContain(port)
    for (const ownPort of [localPort, line.port, sshdPort]) expect(ports).not.toContain(ownPort)
    await look(false)
    expect(clock.pending()).toBe(1)
  })

  it.each(transports)('are reached at their only address: %s', async (transport) => {
    const port = await webServer(0, '127.0.0.3')
    const { target } = await sshdTarget({}, transport)
    const { open, look, services } = tunnelsHarness(target)
    const reported = services(({ report }) => report !== null)
    await look(true, true)
    await reported
    const { localPort, state } = await open(port)
    expect(state).toEqual({ kind: 'open' })
    expect(await read(localPort)).toBe('hello')
  })

  it('appear in the list once they listen, and disappear once they end', async () => {
    const { look, services, clock } = tunnelsHarness((await sshdTarget()).target)
    const first = services(({ report }) => report !== null)
    await look(true, true)
    await first
    const server = createTcpServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const port = portOf(server)
    const isListed = ({ report }: ServicesView): boolean =>
      report?.kind === 'services' && report.services.some((service) => service.port === port)
    const appears = services(isListed)
    clock.advance(5)
    await appears
    const disappears = services((view) => !isListed(view))
    server.close()
    clock.advance(5)
    await disappears
  })
})

it('a machine of the sandbox lists Jupyter with its token and TensorBoard, and serves their pages', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const key = ssh2.utils.parseKey(userKey.private)
  if (key instanceof Error) expect.fail(key.message)
  const { open, look, services, pages, known } = tunnelsHarness({
    user: 'ubuntu',
    host: '127.0.0.1',
    port: server.port,
    known: [],
    keys: [{ name: 'id', method: { type: 'publickey', username: 'ubuntu', key } }],
  })
  const reported = services(({ report }) => report !== null)
  await look(true, true)
  const { report } = await reported
  expect(report).toEqual({
    kind: 'services',
    services: [
      { port: 6006, name: 'TensorBoard', process: 'tensorboard' },
      { port: 8888, name: 'Jupyter', process: 'jupyter-lab' },
    ],
    more: false,
  })
  expect(known()).toHaveLength(1)
  for (const [port, name] of [
    [8888, 'Jupyter'],
    [6006, 'TensorBoard'],
  ] as const) {
    const { localPort } = await open(port, true)
    expect(await read(localPort)).toContain(`This page stands for ${name}`)
  }
  expect(pages.map(({ token }) => token)).toEqual(['practice', null])
})
