import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { AgentAccess, type AgentOrder } from '#shared/bridge/agent'
import { CommandAddress } from '#shared/bridge/command-line'
import { commandAddressFile } from '#shared/command-address'
import { agent, openAgents } from '../../../test/fixtures/agents-harness'
import { answerCall } from '../desktop/answer-call'
import { serveCommandLine } from './server'

/** Sends one request to a socket and waits for the answer, as `wheelhouse mcp` does. */
const clientScript = `
const [path, request] = process.argv.slice(1)
require('node:net').connect(path, function () {
  this.write(request + '\\0')
}).on('close', () => process.exit()).resume()`

const wait = (): [Promise<void>, () => void] => {
  let end = (): void => undefined
  const waiting = new Promise<void>((resolve) => (end = resolve))
  return [waiting, end]
}

/** The modules behind the real socket, with an agent that may create one machine and must ask. */
async function serve(asks: boolean) {
  const opened = await openAgents()
  const { account, calls, deps, perHour } = opened
  const price = (share: number) => ({ ...perHour, millionths: Math.floor(perHour.millionths * share) })
  await calls['agents.allow']({
    agent,
    access: AgentAccess.parse({ create: true, cap: price(24), askAbove: asks ? price(0.5) : null }),
  })
  let arrived = (): Promise<void> => Promise.resolve()
  let withdrawals = 0
  const close = await serveCommandLine({
    folder: deps.folder,
    platform: process.platform,
    version: '1',
    now: deps.clock.now,
    answer: async (name, input) => {
      if (name === 'agents.withdraw') withdrawals += 1
      if (name === 'agents.act') await arrived()
      return answerCall(calls, name, input)
    },
  })
  onTestFinished(close)
  const { path, token } = CommandAddress.parse(
    JSON.parse(readFileSync(join(deps.folder, commandAddressFile), 'utf8')),
  )
  /** Starts a process that sends an order. Returns functions that wait for its end, and that kill it. */
  function send(order: AgentOrder) {
    const request = JSON.stringify({ token, call: 'agents.act', input: { agent, account, order } })
    const child = spawn(process.execPath, ['-e', clientScript, path, request], { stdio: 'inherit' })
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
    const kill = async (): Promise<void> => {
      const before = withdrawals
      child.kill('SIGKILL')
      await ended
      await expect.poll(() => withdrawals).toBe(before + 1)
    }
    return { ended, kill }
  }
  const last = async () => (await opened.seen())?.actions[0]
  const questions = () => calls['agents.questions']({})
  /** Holds each order before the application handles it. */
  const onArrival = (run: typeof arrived): void => void (arrived = run)
  return { ...opened, last, onArrival, questions, send, withdrawals: () => withdrawals }
}

it.each(['before its order is handled', 'while the price is read', 'while the user is asked'])(
  'a creation whose agent is killed %s is not sent, and no question stays',
  async (moment) => {
    const { account, act, calls, creation, creations, deps, last, onArrival, onRequest, questions, send } =
      await serve(true)
    const [held, release] = wait()
    const [reached, reach] = wait()
    const hold = (): Promise<void> => {
      reach()
      return held
    }
    if (moment === 'before its order is handled') onArrival(hold)
    if (moment === 'while the price is read') {
      // Older than the catalog may be.
      deps.clock.advance(120)
      onRequest((request) => (request.includes('/flavors') ? hold() : Promise.resolve()))
    }
    const { kill } = send(creation('train'))
    if (moment === 'while the user is asked') await expect.poll(questions).toHaveLength(1)
    else await reached
    await kill()
    release()
    await expect.poll(last).toMatchObject({ kind: 'create', result: 'refused', why: 'withdrawn' })
    expect(await questions()).toEqual([])
    expect(await creations()).toEqual([])
    // It does not count against the cap: the next one is asked about.
    onArrival(() => Promise.resolve())
    onRequest(() => Promise.resolve())
    const answer = act(creation('other'))
    await expect.poll(questions).toHaveLength(1)
    const [question] = await questions()
    await calls['agents.answer']({ id: question?.id ?? '', isAllowed: true })
    expect(await answer).toMatchObject({ kind: 'done' })
    await calls['fleet.refresh']({ account })
  },
)

it('a creation whose agent is killed after the user allowed it is carried out once', async () => {
  const { act, calls, creation, creations, last, onRequest, questions, seen, send } = await serve(true)
  const [held, release] = wait()
  const [reached, reach] = wait()
  onRequest((request) => {
    if (!request.startsWith('POST ')) return Promise.resolve()
    reach()
    return held
  })
  const { kill } = send(creation('train'))
  await expect.poll(questions).toHaveLength(1)
  const [question] = await questions()
  await calls['agents.answer']({ id: question?.id ?? '', isAllowed: true })
  await reached
  await kill()
  expect(await last()).toMatchObject({ kind: 'create', result: 'sending' })
  release()
  await expect.poll(last).toMatchObject({ result: 'done', machine: expect.any(String) })
  expect(await creations()).toHaveLength(1)
  expect((await seen())?.counted).toEqual((await seen())?.access.cap)
  expect(await act(creation('other'))).toMatchObject({ why: 'above-cap' })
})

it.each([
  ['before the service created it', 'sent'],
  ['before the service answered', 'created'],
])('a machine whose agent is killed %s is listed and counts', async (_, moment) => {
  const { act, creation, creations, last, onCreated, onRequest, seen, send } = await serve(false)
  const [held, release] = wait()
  const [reached, reach] = wait()
  const hold = (): Promise<void> => {
    reach()
    return held
  }
  if (moment === 'created') onCreated(hold)
  else onRequest((request) => (request.startsWith('POST ') ? hold() : Promise.resolve()))
  const { kill } = send(creation('train'))
  await reached
  await kill()
  // It counts while its outcome is open.
  expect(await act(creation('other'))).toMatchObject({ why: 'above-cap' })
  release()
  const isCreation = async () => (await seen())?.actions.find(({ result }) => result !== 'refused')
  await expect.poll(isCreation).toMatchObject({ result: 'done', machine: expect.any(String) })
  expect(await last()).toMatchObject({ result: 'refused', why: 'above-cap' })
  expect(await creations()).toHaveLength(1)
  expect((await seen())?.counted).toEqual((await seen())?.access.cap)
})

it('a machine whose agent is killed is found if the service’s answer is lost', async () => {
  const { act, creation, creations, deps, last, onCreated, send, seen } = await serve(false)
  const [held, release] = wait()
  const [reached, reach] = wait()
  onCreated(async () => {
    reach()
    await held
    throw new TypeError('fetch failed')
  })
  const { kill } = send(creation('train'))
  await reached
  await kill()
  release()
  await expect
    .poll(
      () => {
        deps.clock.advance(1)
        return last()
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ result: 'done', machine: expect.any(String) })
  expect(await creations()).toHaveLength(1)
  expect(await act(creation('other'))).toMatchObject({ why: 'above-cap' })
  expect((await seen())?.counted).toEqual((await seen())?.access.cap)
})

it('an agent that waits for its answer withdraws nothing', async () => {
  const { creation, last, send, withdrawals } = await serve(false)
  await send(creation('train')).ended
  expect(await last()).toMatchObject({ result: 'done' })
  expect(withdrawals()).toBe(0)
})
