import { FailureError } from '#shared/failure'
import { readAll } from '../../../src/main/core/read-all-pages'
import { nothing, type ServiceHttp } from '../../../src/main/service/http'
import { createService, type Service } from '../../../src/main/service/index'
import { signIn } from '../../../src/main/service/login'
import { calls, type Subjects } from './calls'
import type { Client } from './client'

/** Kind of a call on the wire; `silent`: a change whose answer is not read. */
export type CallKind = 'page' | 'whole' | 'record' | 'change' | 'silent' | 'signIn' | 'paging'

export interface NamedCall {
  readonly name: string
  readonly kind: CallKind
  /** A deployment may lack it. */
  readonly capability: boolean
  run(client: Client, subjects: Subjects): Promise<unknown>
}

type Traits = Pick<NamedCall, 'kind' | 'capability'>

/** Determines the kind of a call from the client itself, with a wire that only records its use. */
async function traitsOf(run: (service: Service) => Promise<unknown>): Promise<Traits> {
  let traits: Traits | undefined
  const note = (kind: CallKind, capability: string | undefined): Promise<never> => {
    traits = { kind, capability: capability !== undefined }
    return Promise.reject(new FailureError({ kind: 'cancelled' }))
  }
  const wire: ServiceHttp = {
    get: (_path, _schema, options) => note('record', options?.capability),
    list: (_path, _item, options) => note('whole', options?.capability),
    page: (_path, _page, _item, _signal, capability) => note('page', capability),
    send: (_method, _path, _body, schema) =>
      note(Object.is(schema, nothing) ? 'silent' : 'change', undefined),
  }
  await run(createService(wire)).catch(() => undefined)
  if (!traits) throw new Error('the call did not use the wire')
  return traits
}

const anything: Subjects = {
  here: { region: 'r', flavor: 'f', image: 'i', type: 't' },
  metal: { flavor: 'f', image: 'i' },
  machine: 'm',
  instance: 'i',
  volume: 'v',
  token: 't',
  spare: { machine: 'm', volume: 'v', token: 't' },
}

/** Methods of the client without a row among the calls. */
export const withoutRow = (): readonly string[] => {
  const rows: Readonly<Record<string, object>> = calls
  const unused = (): Promise<never> => Promise.reject(new Error('nothing is sent'))
  const service: Readonly<Record<string, object>> = createService({
    get: unused,
    list: unused,
    page: unused,
    send: unused,
  })
  return Object.entries(service).flatMap(([resource, methods]) =>
    Object.keys(methods)
      .filter((name) => !Object.hasOwn(rows[resource] ?? {}, name))
      .map((name) => `${resource}.${name}`),
  )
}

/** Every method of the client, and helpers that use several of its requests. */
export async function everyCall(apiToken: string): Promise<readonly NamedCall[]> {
  const methods = Object.entries(calls).flatMap(([resource, rows]) =>
    Object.entries(rows).map(([name, run]) => ({ name: `${resource}.${name}`, run })),
  )
  const named = await Promise.all(
    methods.map(async ({ name, run }) => ({
      name,
      ...(await traitsOf((service) => run(service, anything))),
      run: ({ service }: Client, subjects: Subjects) => run(service, subjects),
    })),
  )
  return [
    ...named,
    {
      name: 'all machines',
      kind: 'paging',
      capability: false,
      run: ({ service }) => readAll((page) => service.machines.list(page), 5),
    },
    {
      name: 'sign-in by password',
      kind: 'signIn',
      capability: false,
      run: ({ transport, signedInWith }) =>
        signIn(transport, [signedInWith.baseUrl], signedInWith.wireCredential, () => true),
    },
    {
      name: 'sign-in by API token',
      kind: 'signIn',
      capability: false,
      run: ({ transport, signedInWith }) =>
        signIn(transport, [signedInWith.baseUrl], { kind: 'api-token', token: apiToken }, () => true),
    },
  ]
}
