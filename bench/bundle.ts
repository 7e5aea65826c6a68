// Size of the window's scripts and styles before its first paint, compressed as by a server: a measure of reading,
// parsing and running. The yardstick is a fixed size.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { finish } from './support/compare'

const goalKilobytes = 180
const folder = join(import.meta.dirname, '../out/renderer')
/** Returns scripts and styles of the page, and the scripts that these import before they run. */
const needed = new Set<string>()
const visit = (path: string): void => {
  if (needed.has(path)) return
  needed.add(path)
  if (!path.endsWith('.js')) return
  const text = readFileSync(join(folder, path), 'utf8')
  for (const [, name = ''] of text.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    visit(`assets/${name}`)
}
const page = readFileSync(join(folder, 'index.html'), 'utf8')
for (const [, path = ''] of page.matchAll(/(?:src|href)="[./]*(assets\/[\w.-]+\.(?:js|css))"/g)) visit(path)

let total = 0
for (const path of needed) {
  const size = gzipSync(readFileSync(join(folder, path))).length / 1000
  total += size
  console.log(
    `${size.toFixed(1).padStart(7)} kB gzip  ${String(statSync(join(folder, path)).size)} bytes  ${path}`,
  )
}
const ratio = Number((total / goalKilobytes).toFixed(3))
console.log(
  `${String(needed.size)} files, ${total.toFixed(1)} kB gzip, yardstick ${String(goalKilobytes)} kB, ratio ${ratio.toFixed(2)}`,
)
finish({
  bench: 'bundle',
  ratio,
  unit: 'kB gzip',
  runs: 1,
  goal: 1,
  files: needed.size,
  kilobytes: Number(total.toFixed(1)),
})
