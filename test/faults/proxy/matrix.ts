import { passwordDigest } from '../../../src/main/accounts/wire-credential'
import type { Service } from '../../../src/main/service/index'
import { sessionHeaders, signIn } from '../../../src/main/service/login'
import { startSandbox } from '../../../src/sandbox/sandbox'
import { control } from '../../fixtures/sandbox-control'
import { clientWith, must, offers, sshKey, transport } from '../../fixtures/service-client'
import type { Subjects } from './calls'
import { gistOf, type Matrix } from './cell'
import { createClient } from './client'
import { startFaultProxy } from './fault-proxy'
import { everyCall } from './kinds'

/** One resource of each kind for the calls. */
async function createSubjects(service: Service): Promise<Subjects> {
  const { here } = await offers(service)
  const group = must((await service.bareMetal.flavors())[0])
  const flavor = must(group.products.find(({ stock_available }) => stock_available)).id
  const image = must((await service.bareMetal.images(must(group.region_id)))[0]).id
  const machine = async (name: string) =>
    (await service.machines.create({ name, flavor_id: here.flavor, image_id: here.image, ssh_key: sshKey }))
      .id
  const volume = async (name: string) =>
    (
      await service.volumes.create({
        display_name: name,
        region_id: here.region,
        type_id: here.type,
        size: 1,
      })
    ).id
  const token = async (name: string) => (await service.apiTokens.create({ name })).id
  const metal = { name: 'subject', flavor_id: flavor, image_id: image, ssh_key: sshKey }
  return {
    here,
    metal: { flavor, image },
    machine: await machine('subject'),
    instance: (await service.bareMetal.create(metal)).id,
    volume: await volume('subject'),
    token: await token('subject'),
    spare: { machine: await machine('spare'), volume: await volume('spare'), token: await token('spare') },
  }
}

const reads = new Set(['page', 'whole', 'record', 'paging', 'signIn'])

/** A sandbox with a resource of each kind, a proxy in front of it, and each call's result without a fault. */
export async function startMatrix() {
  const sandbox = await startSandbox({ port: 0, seed: 7, machines: 12, speed: 1, balance: 5_000 })
  const { baseUrl, username, password } = sandbox
  const wireCredential = { kind: 'password', username, digest: passwordDigest(password) } as const
  const begin = async () => must((await signIn(transport, [baseUrl], wireCredential, () => true)).tokens)
  const tokens = await begin()
  const subjects = await createSubjects(clientWith(baseUrl, sessionHeaders(tokens)).service)
  await control(sandbox, 'POST', '/clock', { advance: 3_600 })
  const proxy = await startFaultProxy(baseUrl)
  const calls = await everyCall(sandbox.apiToken)
  const good = new Map<string, string>()
  const client = createClient({ proxy, wireCredential, tokens, way: proxy.openWay('good') })
  // Changes first, so that later reads stay the same.
  for (const call of calls.toSorted((a, b) => Number(reads.has(a.kind)) - Number(reads.has(b.kind)))) {
    good.set(call.name, gistOf(await call.run(client, subjects)))
    if (call.name === 'volumes.attach') await control(sandbox, 'POST', '/clock', { advance: 3_600 })
  }
  // The elapsed hours at the service have ended the first session.
  const current = await begin()
  const secrets = [current.access, current.refresh, wireCredential.digest, sandbox.apiToken]
  const matrix: Matrix = { proxy, wireCredential, tokens: current, subjects, secrets, good }
  return {
    matrix,
    calls,
    close: async (): Promise<void> => {
      await proxy.close()
      await sandbox.close()
    },
  }
}
