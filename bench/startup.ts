// A cold start of the packaged application, signed in with the keyring and the encrypted store, until its list of
// machines responds to a key in the filter. Yardstick: an empty window in the same Electron.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from './start/sign-in'
import { measureStart } from './start/measure-start'
import { startSandboxProcess } from './support/sandbox-process'

const machines = 100
const service = await startSandboxProcess(machines)
const userData = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
try {
  mkdirSync(userData, { recursive: true })
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
  await signIn({ userData, service, machines })
  await measureStart({
    bench: 'startup',
    what: 'start until the list of machines answers a key',
    rounds: Number(process.argv[2] ?? 7),
    userData,
    probe: `
      const grid = () => document.querySelector('[role=grid]')
      const count = () => Number(grid()?.getAttribute('aria-rowcount') ?? 0) - 1
      const filter = () => document.querySelector('input[type=text]')
      await until(() => filter() && count() > 0)
      const before = count()
      filter().value = 'no such machine'
      filter().dispatchEvent(new Event('input', { bubbles: true }))
      await until(() => count() < before)
      const at = await painted()
      // The next start would restore the filter.
      filter().value = ''
      filter().dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      return at`,
  })
} finally {
  await service.close()
  rmSync(userData, { recursive: true, force: true })
}
