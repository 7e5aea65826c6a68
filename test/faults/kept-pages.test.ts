import { describe, expect, it, onTestFinished } from 'vitest'
import { shortPauseSeconds } from '../../src/main/service/retry-after'
import { connect, control, runSandbox, setUp } from '../fixtures/account-harness'
import { deep } from '../fixtures/counts'
import { fakeClock } from '../fixtures/fake-clock'
import { must, offers, sshKey } from '../fixtures/service-client'
import { bodyFaults } from './proxy/body-faults'
import { connectionFaults } from './proxy/connection-faults'
import { startFaultProxy } from './proxy/fault-proxy'
import { openPages } from './proxy/pages'
import { statusFaults } from './proxy/status-faults'
import type { Fault } from './proxy/wire'

/** Faults that removed data. */
const telling = new Set(['wrong types', 'missing ids', 'duplicate ids'])

/** Faults that need no other limits of the client; a sample of them in `npm test`. */
const faults = Object.entries<Fault>({ ...connectionFaults, ...statusFaults, ...bodyFaults })
  .filter(([, { timeLimit, sizeLimit }]) => timeLimit === undefined && sizeLimit === undefined)
  .filter(([title], index) => telling.has(title) || index % deep(16, 1) === 0)

/** Faults by which a deployment reports that it lacks an operation. */
const lacking = new Set(['HTTP 404', 'HTTP 405', 'HTTP 501', 'not found in HTML'])

const begin = async () => {
  const sandbox = await runSandbox({ speed: 1 })
  const proxy = await startFaultProxy(sandbox.baseUrl)
  onTestFinished(() => proxy.close())
  const way = proxy.openWay('pages')
  const underWay = new Set<Promise<unknown>>()
  let sent = 0
  const harness = await setUp({
    waitsEnd: shortPauseSeconds,
    fetch: (input, init) => {
      sent += 1
      const url = input instanceof Request ? input.url : String(input)
      const answer = fetch(proxy.route(url, way.fault), init)
      underWay.add(answer)
      const done = () => void underWay.delete(answer)
      answer.then(done, done)
      return answer
    },
  })
  const { id: account } = await connect(harness, sandbox, { url: way.baseUrl })
  const service = harness.accounts.service(account)
  const metal = must((await service.bareMetal.flavors()).find(({ products }) => products[0]?.stock_available))
  const image = must((await service.bareMetal.images(must(metal.region_id)))[0])
  const order = { name: 'metal', flavor_id: must(metal.products[0]).id, image_id: image.id, ssh_key: sshKey }
  const { id: instance } = await service.bareMetal.create(order)
  const { here } = await offers(service)
  const offer = { flavor_id: here.flavor, image_id: here.image, ssh_key: sshKey }
  const { id: machine } = await service.machines.create({ ...offer, name: 'subject' })
  await service.apiTokens.create({ name: 'subject' })
  await control(sandbox, 'POST', '/clock', { advance: 3_600 })
  await control(sandbox, 'POST', '/clock', { held: true })
  const clock = fakeClock(Date.now() / 1000)
  await connect(harness, sandbox, { url: way.baseUrl })
  const pages = await openPages({ account, accounts: harness.accounts, clock, machine, instance })

  /** Waits until nothing is pending. */
  async function quiet(): Promise<void> {
    for (let calm = 0; calm < 5; calm += 1) {
      await new Promise(setImmediate)
      if (underWay.size > 0) calm = 0
      await Promise.allSettled(underWay)
    }
  }
  return {
    way,
    pages,
    quiet,
    sent: () => sent,
    /** Waits for the service's pause, and signs in again after the session has ended. */
    recover: async () => {
      way.fault = null
      harness.ahead += 901
      // Unsupported operations are tried again after an hour.
      clock.set(clock.now() + 3_601)
      await connect(harness, sandbox, { url: way.baseUrl })
      await quiet()
    },
  }
}

describe('the data of every page', () => {
  it(
    'survives every fault or is marked as incomplete, without extra requests, and recovers',
    async () => {
      const { way, pages, quiet, sent, recover } = await begin()
      await quiet()
      const good = new Map<
        string,
        { readonly text: string; readonly ids: string; readonly requests: number }
      >()
      for (const [name, { read }] of Object.entries(pages)) {
        const before = sent()
        const { ids, why } = await read()
        expect({ name, why, isEmpty: !ids?.length }).toEqual({ name, why: null, isEmpty: false })
        const text = JSON.stringify({ ids, why })
        good.set(name, { text, ids: JSON.stringify(ids), requests: sent() - before })
      }
      const problems: string[] = []
      for (const [title, fault] of faults) {
        for (const [name, { keeper, read }] of Object.entries(pages)) {
          const { ids, requests } = must(good.get(name))
          const note = (problem: string) => problems.push(`${name} at ${title}: ${problem}`)
          way.fault = fault
          // Rows that two lists lack are removed.
          await read()
          const asked = sent()
          const shown = await read()
          await quiet()
          if (sent() - asked > 6 * requests + 2) note(`${String(sent() - asked)} requests`)
          if (shown.why === 'local-fault') note('a failure of its own')
          // Null instead of a list means that it is empty.
          const isEmptied = title === 'data null' && keeper === 'window'
          const isKept = JSON.stringify(shown.ids) === ids || isEmptied
          const mayLack = shown.ids === null ? keeper === 'window' || lacking.has(title) : shown.why !== null
          if (!isKept && (keeper === 'main' ? shown.ids !== null || !mayLack : !mayLack))
            note(`less is shown: ${JSON.stringify(shown)}`)
        }
        await recover()
        for (const [name, { read }] of Object.entries(pages)) {
          const text = JSON.stringify(await read())
          if (text !== good.get(name)?.text) problems.push(`${name} after ${title}: not recovered: ${text}`)
        }
      }
      expect(problems).toEqual([])
    },
    deep(240_000, 600_000),
  )
})
