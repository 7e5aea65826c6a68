import type { FleetStatus, MachineView } from '../../src/shared/bridge/fleet'
import { pageSizes } from '../../src/shared/page-sizes'
import { listRevisions } from '../../src/main/core/list-revisions'
import { readAll } from '../../src/main/core/read-all-pages'
import { createHttp } from '../../src/main/service/http'
import { createService } from '../../src/main/service/index'
import { rowFilter, sortedBy } from '../../src/renderer/components/rows'
import { machineRows } from '../../src/renderer/pages/machines/machine-rows'
import { applyChange, listOf } from '../../src/renderer/stores/list-state'
import { transport } from '../../test/fixtures/service-client'
import { account, changedMachines, machinesOf } from '../bridge/fleet'
import type { Subject } from './exponent'

const status: FleetStatus = { asOf: 1_790_000_000, reading: false, total: null, failure: null }

/**
 * A list on its way to the window: compared in main with one machine in a hundred changed, mirrored, sorted,
 * filtered.
 */
export const list: Subject = {
  name: 'list',
  first: 500,
  prepare(size) {
    const before = machinesOf(size)
    const after = new Map([...before, ...changedMachines(before, 7).map((one) => [one.id, one] as const)])
    return () => {
      // Separate rows, as the bridge copies them.
      const items = structuredClone([...before.values()])
      let state = listOf<MachineView, FleetStatus>({ revision: 1, items, status })
      const revisions = listRevisions<MachineView, FleetStatus>(account, status, (change) => {
        const step = applyChange(state, change)
        if (step.kind === 'applied') state = step.list
      })
      revisions.replace(before, status)
      revisions.replace(after, status)
      const found = rowFilter([...state.items.values()], machineRows)('train')
      return [state, sortedBy(found, machineRows, { key: 'name', descending: false })]
    }
  },
}

const wireMachine = (index: number) => ({
  id: `machine-${String(index)}`,
  name: `train-${String(index)}`,
  status: 'running',
  fixed_ip: `10.0.${String((index >> 8) & 255)}.${String(index & 255)}`,
  flavor: { name: 'H100-80G', cpu: 16, ram: 128, disk: 1_000, gpu: 'H100', gpu_count: 1 },
  image: { name: 'Ubuntu 24.04' },
  region: { name: 'Oslo' },
  started_time: 1_780_000_000 + index,
})

/** All machines of a service that answers from memory, page by page: read, validated and typed. */
export const client: Subject = {
  name: 'client',
  first: 500,
  prepare(size) {
    const { resources: limit } = pageSizes
    const pages = Array.from({ length: Math.ceil(size / limit) }, (_, page) => {
      const length = Math.min(limit, size - page * limit)
      const data = Array.from({ length }, (_one, at) => wireMachine(page * limit + at))
      return JSON.stringify({ status: true, message: 'ok', data, total: size })
    })
    const answer: typeof fetch = (input) => {
      const address = new URL(input instanceof Request ? input.url : input)
      const page = Number(address.searchParams.get('offset') ?? 0) / limit
      const headers = { 'content-type': 'application/json' }
      return Promise.resolve(new Response(pages[page], { headers }))
    }
    const authorization = { baseUrl: 'http://127.0.0.1/api/v1', headers: {} }
    const http = createHttp(
      { ...transport, fetch: answer },
      {
        current: () => Promise.resolve(authorization),
        limited: () => undefined,
        renewed: () => Promise.resolve(authorization),
      },
    )
    const { machines } = createService(http)
    return async () => {
      const reading = await readAll(machines.list, limit)
      if (reading.items.length !== size)
        throw new Error(`${String(reading.items.length)} of ${String(size)} came`)
      return reading
    }
  },
}
