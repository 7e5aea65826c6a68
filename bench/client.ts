// All machines of an account of 10,000, two hundred a page, read by the application's client, validated and typed.
// Yardstick: plain fetch and JSON.parse of the same pages with the same parallelism. The service runs in its own
// process.
import { pageSizes } from '#shared/page-sizes'
import { readAll } from '../src/main/core/read-all-pages'
import { apiTokenHeaders } from '../src/main/service/login'
import { clientWith } from '../test/fixtures/service-client'
import { alternate, compare, elapsed, finish } from './support/compare'
import { startSandboxProcess } from './support/sandbox-process'

const goal = 1.3
const machines = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 15)
const service = await startSandboxProcess(machines)
try {
  const headers = apiTokenHeaders(service.apiToken)
  const client = clientWith(service.baseUrl, headers).service
  const ours = async (): Promise<void> => {
    const { items, complete } = await readAll(client.machines.list, pageSizes.resources)
    if (!complete || items.length < machines) throw new Error('not all machines came')
  }
  const bare = async (): Promise<void> => {
    const { resources: limit } = pageSizes
    for (let offset = 0; offset < machines; offset += limit) {
      const address = `${service.baseUrl}/virtual-machines?limit=${String(limit)}&offset=${String(offset)}`
      const answer = await fetch(address, { headers })
      const page: unknown = JSON.parse(await answer.text())
      if (!answer.ok || page === null) throw new Error(`${address}: ${String(answer.status)}`)
    }
  }
  const measured = await alternate({
    rounds,
    ours: () => elapsed(ours),
    yardstick: () => elapsed(bare),
  })
  const ratio = compare(`${String(machines)} machines`, 'ms', measured, goal)
  finish({ bench: 'client', ratio, unit: 'ms', runs: rounds, goal, machines })
} finally {
  await service.close()
}
