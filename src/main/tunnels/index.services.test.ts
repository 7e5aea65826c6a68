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
  it('are asked for once the person allows it, while they are looked at; own ports are left out', async () => {
    const port = await webServer()
    const { target, line, sshdPort } = await sshdTarget()
    const { open, look, services, clock } = tunnelsHarness(target)
    expect(await look(true)).toMatchObject({ link: { kind: 'off', why: 'no-consent' }, report: null })
    const { localPort } = await open(port)
    const found = services(({ report }) => report !== null)
    await look(true, true)
    const { report } = await found
    const ports = report?.kind === 'services' ? report.services.map((one) => one.port) : []
    expect(ports).toContain(port)
    for (const own of [localPort, line.port]) expect(ports).not.toContain(own)
    expect(ports).not.toContain(sshdPort)
    await look(false)
    expect(clock.pending()).toBe(1)
  })

  it.each(transports)('that listen on one address alone are reached there: %s', async (transport) => {
    const port = await webServer(0, '127.0.0.3')
    const { target } = await sshdTarget({}, transport)
    const { open, look, services } = tunnelsHarness(target)
    const found = services(({ report }) => report !== null)
    await look(true, true)
    await found
    const { localPort, state } = await open(port)
    expect(state).toEqual({ kind: 'open' })
    expect(await read(localPort)).toBe('hello')
  })

  it('appear while they are looked at once they listen, and disappear once they end', async () => {
    const { look, services, clock } = tunnelsHarness((await sshdTarget()).target)
    const first = services(({ report }) => report !== null)
    await look(true, true)
    await first
    const server = createTcpServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const port = portOf(server)
    const isListed = ({ report }: ServicesView): boolean =>
      report?.kind === 'services' && report.services.some((one) => one.port === port)
    const appears = services(isListed)
    clock.advance(5)
    await appears
    const disappears = services((view) => !isListed(view))
    server.close()
    clock.advance(5)
    await disappears
  })
})

it('the sandbox’s machines offer Jupyter with its token, and TensorBoard, whose pages answer', async () => {
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
  const found = services(({ report }) => report !== null)
  await look(true, true)
  const { report } = await found
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
