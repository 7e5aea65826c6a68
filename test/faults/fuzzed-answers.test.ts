import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Failure, FailureError } from '#shared/failure'
import { ApiToken } from '#shared/service/api-token'
import { BareMetalInstance } from '#shared/service/bare-metal'
import { Balance, Statement, Usage } from '#shared/service/billing'
import { FirewallRule } from '#shared/service/firewall-rule'
import { FlavorGroup } from '#shared/service/flavor'
import { Image } from '#shared/service/image'
import { LoginResult } from '#shared/service/login'
import { CreatedMachine, Machine } from '#shared/service/machine'
import { Metrics } from '#shared/service/metrics'
import { Region, VolumeType } from '#shared/service/region'
import { DetachedVolume, Volume } from '#shared/service/volume'
import { createHttp } from '../../src/main/service/http'
import { createService, type Service } from '../../src/main/service/index'
import { signIn } from '../../src/main/service/login'
import { deep, seeds } from '../fixtures/counts'
import { anyJson, nearValuesOf, valuesOf } from '../fixtures/schema-values'
import { transport } from '../fixtures/service-client'

const secret = 'S3cr3t-canary-of-the-session'
const authorization = { baseUrl: 'http://127.0.0.1:1/api', headers: { authorization: `Bearer ${secret}` } }

/** The real client over a connection on which `answer` answers every request. */
const clientOf = (answer: () => Response) => {
  const wire = { ...transport, fetch: () => Promise.resolve(answer()) }
  const http = createHttp(wire, {
    current: () => Promise.resolve(authorization),
    limited: () => undefined,
    renewed: () => Promise.resolve(authorization),
  })
  return { wire, service: createService(http) }
}

const page = { limit: 100, offset: 0 }
type Items = { readonly items: readonly { readonly id: string }[] }

/** Every list of the service, by the type of its records. */
const lists: readonly (readonly [string, z.ZodType, (service: Service) => Promise<Items>])[] = [
  ['machines', Machine, ({ machines }) => machines.list(page)],
  ['firewall rules', FirewallRule, ({ firewallRules }) => firewallRules.list('m', page)],
  ['volumes', Volume, ({ volumes }) => volumes.list(page)],
  ['statements', Statement, ({ billing }) => billing.statements(page)],
  ['usage', Usage, ({ billing }) => billing.usage(page)],
  ['API tokens', ApiToken, ({ apiTokens }) => apiTokens.list(page)],
  ['images', Image, async ({ images }) => ({ items: await images.list() })],
  ['bare metal images', Image, async ({ bareMetal }) => ({ items: await bareMetal.images() })],
  ['regions', Region, async ({ regions }) => ({ items: await regions.list() })],
  ['volume types', VolumeType, async ({ volumeTypes }) => ({ items: await volumeTypes.list() })],
]

/** All other answers of the service. */
const answers: readonly (readonly [
  string,
  z.ZodType,
  (client: ReturnType<typeof clientOf>) => Promise<unknown>,
])[] = [
  ...lists.map(
    ([name, schema, read]) =>
      [name, z.array(schema), ({ service }: ReturnType<typeof clientOf>) => read(service)] as const,
  ),
  ['flavors', z.array(FlavorGroup), ({ service }) => service.flavors.list()],
  ['bare metal flavors', z.array(FlavorGroup), ({ service }) => service.bareMetal.flavors()],
  ['a machine', Machine, ({ service }) => service.machines.get('m')],
  ['metrics', Metrics, ({ service }) => service.machines.metrics('m', '1h')],
  [
    'a created machine',
    CreatedMachine,
    ({ service }) =>
      service.machines.create({ name: 'n', flavor_id: 'f', ssh_key: { name: 'k', public_key: 'p' } }),
  ],
  ['a stopped machine', z.unknown(), ({ service }) => service.power.change('m', 'stop')],
  ['an instance', BareMetalInstance, ({ service }) => service.bareMetal.get('b')],
  [
    'a created volume',
    Volume,
    ({ service }) => service.volumes.create({ display_name: 'n', region_id: 'r', type_id: 't', size: 1 }),
  ],
  ['a detached volume', DetachedVolume, ({ service }) => service.volumes.detach('m', 'v')],
  ['a token', ApiToken, ({ service }) => service.apiTokens.create({ name: 'n' })],
  [
    'a rule',
    FirewallRule,
    ({ service }) =>
      service.firewallRules.add('m', {
        direction: 'inbound',
        protocol: 'tcp',
        ethertype: 'IPv4',
        remote_ip_prefix: '10.0.0.0/8',
        port_range_min: 1,
        port_range_max: 1,
      }),
  ],
  ['the balance', Balance, ({ service }) => service.billing.balance()],
  [
    'a sign-in',
    LoginResult,
    ({ wire }) =>
      signIn(wire, [authorization.baseUrl], { kind: 'password', username: 'u', digest: secret }, () => true),
  ],
]

const words = fc.constantFrom(
  'ok',
  '',
  secret,
  `field_id is ${secret}`,
  'x'.repeat(1_990) + secret,
  '\u001b[31m',
  'not found',
)

const envelopeOf = (data: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const usual = fc.record(
    { status: fc.constant(true), message: words, data, total: fc.oneof(fc.nat(9), anyJson) },
    { requiredKeys: ['status', 'data'] },
  )
  const refusal = fc.record(
    {
      status: fc.constant(false),
      message: fc.oneof(words, anyJson),
      data: fc.oneof(
        anyJson,
        fc.record({ field: words, error_reason: fc.record({ message: words, field: words }) }),
      ),
    },
    { requiredKeys: [] },
  )
  return fc.oneof(
    { weight: 12, arbitrary: usual },
    { weight: 3, arbitrary: refusal },
    { weight: 1, arbitrary: anyJson },
  )
}

/** Malformed JSON that some servers send. */
const damages: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => text.replace(/\d+/, 'NaN'),
  (text) => text.replace(/\d+/, '1e999'),
  (text) => text.replace(/\d+/, '-Infinity'),
  (text) => `\uFEFF${text}`,
  (text) => `${text}${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace('{', '{"status":true,"__proto__":{"status":true},'),
  () => '<html>Sign in to this network</html>',
]

const response = (body: fc.Arbitrary<unknown>): fc.Arbitrary<() => Response> =>
  fc
    .record({
      text: fc.oneof(
        { weight: 8, arbitrary: body.map((one) => JSON.stringify(one)) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(body, fc.constantFrom(...damages))
            .map(([one, damage]) => damage(JSON.stringify(one))),
        },
      ),
      status: fc.oneof(
        { weight: 9, arbitrary: fc.constant(200) },
        { weight: 1, arbitrary: fc.constantFrom(201, 302, 400, 401, 404, 409, 422, 429, 500, 503) },
      ),
      headers: fc.constantFrom(
        { 'content-type': 'application/json' },
        { 'content-type': `text/html; ${secret}` },
        {},
        { 'retry-after': '1e99' },
        { 'retry-after': '-1' },
        { location: '::' },
        { location: `http://${secret}/` },
      ),
    })
    .map(
      ({ text, status, headers }) =>
        () =>
          new Response(text, { status, headers: { ...headers } }),
    )

/** Returns why an error is not ours or reveals a secret; null if it is fine. */
function problemOf(error: unknown): string | null {
  if (!(error instanceof FailureError)) return `not a failure: ${String(error)}`
  const text = JSON.stringify(Failure.parse(error.failure))
  return text.length > 6_000 || text.includes(secret.slice(0, 6)) ? text : null
}

const count = deep(45, 3_100)

describe('any answer of the service', () => {
  it.each(answers)(
    'to %s is read or fails with a kind of ours that contains no secret',
    async (_, schema, ask) => {
      await fc.assert(
        fc.asyncProperty(response(envelopeOf(nearValuesOf(schema))), async (answer) => {
          const problem = await ask(clientOf(answer)).then(() => null, problemOf)
          if (problem !== null) throw new Error(problem)
        }),
        { ...seeds, numRuns: count },
      )
    },
  )

  it.each(lists)('keeps the documented records of %s among malformed ones', async (_, schema, read) => {
    const Identified = z.looseObject({ id: z.string() })
    // A volume needs only an id, so any JSON may be a volume by chance.
    const odd = anyJson.filter((value) => !schema.safeParse(value).success)
    const record = fc.oneof(
      valuesOf(schema).map((value) => ({ value, fine: true })),
      odd.map((value) => ({ value, fine: false })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 6 }), async (records) => {
        const data = records.map(({ value }) => value)
        const { items } = await read(clientOf(() => Response.json({ status: true, data })).service)
        const fine = records.flatMap(({ value, fine: isFine }) =>
          isFine ? [Identified.parse(value).id] : [],
        )
        expect(items.map(({ id }) => id).filter((id) => fine.includes(id))).toEqual(fine)
      }),
      { ...seeds, numRuns: count },
    )
  })
})
