// Time and memory of work that grows with an account, at 1, 10 and 100 times the size: the exponent by least squares
// on the logarithms (1 is linear, 2 quadratic). Parsing of texts from machines measures only time.
import { loadSqlLibrary } from '../src/main/store/sql-library'
import { type Growth, growthOf } from './growth/exponent'
import { client, list } from './growth/lists'
import { ledger, removeStores, telemetry } from './growth/stores'
import { texts } from './growth/texts'
import { finish } from './support/compare'

const goal = 1.1
const library = await loadSqlLibrary()
const digits = (value: number): string => value.toPrecision(3)
const print = ({ name, sizes, times, time }: Growth, more = ''): void =>
  console.log(
    `${name}: ${sizes.map((size, at) => `${String(size)} in ${digits(times[at] ?? 0)} ms`).join(', ')}; time ${time.toFixed(2)}${more}`,
  )
try {
  const exponents: Record<string, readonly number[]> = {}
  for (const subject of [list, client, ledger(library), telemetry(library)]) {
    const growth = await growthOf(subject)
    const megabytes = growth.bytes.map((bytes) => digits(bytes / 1_048_576)).join(', ')
    print(growth, `; memory ${growth.memory.toFixed(2)} (${megabytes} MB)`)
    exponents[growth.name] = [growth.time, growth.memory]
  }
  for (const subject of texts) {
    const growth = await growthOf(subject)
    print(growth)
    exponents[growth.name] = [growth.time]
  }
  const steepest = Math.max(...Object.values(exponents).flat())
  console.log(`the steepest: ${steepest.toFixed(2)}, goal ≤ ${goal.toFixed(2)}`)
  finish({ bench: 'growth', ratio: steepest, unit: 'exponent', runs: 5, goal, exponents })
} finally {
  removeStores()
}
