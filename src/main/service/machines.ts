import { CreatedMachine, Machine, type NewMachine } from '#shared/service/machine'
import { type MetricDuration, MetricsAnswer } from '#shared/service/metrics'
import type { PageQuery } from '#shared/service/page'
import { compiledWhenUsed } from './compiled-schema'
import type { ServiceHttp } from './http'
import type { LastPages } from './last-pages'
import { seg } from './path-segment'

const ListedMachine = compiledWhenUsed(Machine)

/** Virtual machines (api-spec.md §4). Machines hold their login password and never cross the bridge. */
export const machines = (http: ServiceHttp) => ({
  list: (page: PageQuery, signal?: AbortSignal, last?: LastPages<Machine>) =>
    http.page('/virtual-machines', page, ListedMachine, signal, undefined, last),
  get: (id: string, signal?: AbortSignal) => http.get(`/virtual-machines/${seg(id)}`, Machine, { signal }),
  create: (machine: NewMachine, signal?: AbortSignal) =>
    http.send('POST', '/virtual-machines', machine, CreatedMachine, signal),
  /** Without a duration, returns everything recorded. */
  metrics: (id: string, duration?: MetricDuration, signal?: AbortSignal) =>
    http.get(`/virtual-machines/${seg(id)}/metrics`, MetricsAnswer, { query: { duration }, signal }),
})
