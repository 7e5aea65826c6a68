import { expect, it } from 'vitest'
import { installation } from '../../../test/fixtures/private-documents'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { account, isListening, sshdTarget, tunnelsHarness } from '../../../test/fixtures/tunnels-harness'
import { read, webServer } from '../../../test/fixtures/web-server'
import { createSavedForwards } from './saved-forwards'

type Target = Parameters<typeof tunnelsHarness>[0]
type Harness = ReturnType<typeof tunnelsHarness>

const stopAll = async (call: Harness['call']): Promise<void> => {
  for (const { id } of await call['tunnel.forwards']({})) await call['tunnel.stop']({ forward: id })
}
const change = async (call: Harness['call'], saved: boolean): Promise<void> => {
  for (const { id } of await call['tunnel.forwards']({})) await call['tunnel.save']({ forward: id, saved })
}

/** Saves a forward to a page of a real machine in a first run of an installation. */
async function withSaved(host?: string) {
  const { target } = await sshdTarget()
  const { start } = installation()
  const port = await webServer(0, host)

  /** Starts the application; `end` quits it. */
  async function begin(destination: Target = target) {
    const { documents, open, quit } = start()
    const harness = tunnelsHarness(destination, undefined, documents)
    await open()
    const end = async (): Promise<void> => {
      harness.tunnels.close()
      await quit()
    }
    return { ...harness, documents, end }
  }
  const first = await begin()
  first.signIn()
  const reported = first.services(({ report }) => report !== null)
  await first.look(true, true)
  await reported
  const { id, localPort } = await first.open(port)
  expect(await first.call['tunnel.save']({ forward: id, saved: true })).toMatchObject([{ saved: true }])
  await first.end()
  return { target, port, localPort, begin }
}

describeWith(['sshd'], 'a saved forward', () => {
  it('reaches the only address of its program before the services are read', async () => {
    const { localPort, begin } = await withSaved('127.0.0.3')
    const { signIn, until, end } = await begin()
    const isOpen = until('open')
    signIn()
    await isOpen
    expect(await read(localPort)).toBe('hello')
    await end()
  })

  it('opens again at the next start, once its account is signed in and its machine runs', async () => {
    const { port, localPort, begin } = await withSaved()
    const { call, becomes, signIn, until, silent } = await begin()
    becomes('stopped')
    expect(await isListening(localPort)).toBe(false)
    expect(await call['tunnel.forwards']({})).toEqual([])
    const waits = until('not-running')
    signIn()
    await waits
    expect(await call['tunnel.forwards']({})).toMatchObject([
      { port, localPort, saved: true, machineName: 'train', state: { kind: 'not-running' } },
    ])
    expect(silent).toEqual([])
    const isOpen = until('open')
    becomes('running')
    await isOpen
    expect(await read(localPort)).toBe('hello')
    expect(silent).toEqual([true])
  })

  it('uses the next local port if its own is in use, and still saves its own', async () => {
    const { localPort, begin } = await withSaved()
    await webServer(localPort)
    const second = await begin()
    const isOpen = second.until('open')
    second.signIn()
    await isOpen
    const [forward] = await second.call['tunnel.forwards']({})
    expect(forward).toMatchObject({ wishedPort: localPort, saved: true })
    expect(forward?.localPort).not.toBe(localPort)
    expect(createSavedForwards(second.documents).all()).toMatchObject([{ localPort }])
  })

  it('asks the user nothing until they choose to connect', async () => {
    const { target, localPort, begin } = await withSaved()
    const locked = await begin()
    locked.meetsSilently({ kind: 'key-unusable', path: '/home/me/.ssh/id', why: 'encrypted' })
    const waits = locked.until('unasked')
    locked.signIn()
    await waits
    expect(locked.silent).toEqual([true])
    const isOpen = locked.until('open')
    await locked.call['tunnel.retry']({ account, machine: 'm1' })
    await isOpen
    expect(await read(localPort)).toBe('hello')
    expect(locked.silent).toEqual([true, false])
    await locked.end()

    // It does not trust the key of a first contact either.
    const unknown = await begin({ ...target, known: [] })
    const isUnknown = unknown.until('unasked')
    unknown.signIn()
    await isUnknown
    expect(unknown.known()).toEqual([])
    const opened = unknown.until('open')
    await unknown.call['tunnel.retry']({ account, machine: 'm1' })
    await opened
    expect(unknown.known()).toHaveLength(1)
  })

  it('may ask once the user opens another forward on its machine', async () => {
    const { begin } = await withSaved()
    const { meetsSilently, until, signIn, open } = await begin()
    meetsSilently({ kind: 'no-key' })
    const waits = until('unasked')
    signIn()
    await waits
    expect((await open(await webServer())).state).toEqual({ kind: 'open' })
  })

  it.each<[string, (harness: Harness) => unknown, boolean]>([
    ['stays saved after quitting', () => undefined, true],
    ['stays saved after an expired sign-in', ({ signOut }) => signOut({ kind: 'offline' }), true],
    ['is forgotten once stopped', async ({ call }) => stopAll(call), false],
    ['is forgotten once the user no longer saves it', async ({ call }) => change(call, false), false],
    ['is forgotten at sign-out', ({ signOut }) => signOut(), false],
    ['is forgotten with its machine', ({ isGone }) => isGone(), false],
    ['is forgotten with its account', ({ tunnels }) => tunnels.forgetAccount(account), false],
    [
      'is forgotten with a machine that was deleted while the application was closed',
      ({ vanishes, isRead }) => {
        vanishes()
        isRead(1)
        isRead(2)
      },
      false,
    ],
  ])('%s', async (_title, act, isSaved) => {
    const { begin } = await withSaved()
    const second = await begin()
    const isOpen = second.until('open')
    second.signIn()
    await isOpen
    await act(second)
    const saved = () => createSavedForwards(second.documents).all()
    if (!isSaved) await expect.poll(saved).toEqual([])
    await second.end()
    const third = await begin()
    expect(createSavedForwards(third.documents).all()).toHaveLength(isSaved ? 1 : 0)
  })
})
