import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { outputs } from '../../src/main/command-line/output'
import { commandAddressFile } from '../../src/shared/command-address'
import { expect, test } from './fixtures'
import { machineId } from './support/bridge'
import { jsonOf, listeningProcess, runApplication, wheelhouse } from './support/command-line'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, panelOf } from './support/window'

test.use({ needs: ['ssh'] })

/** Waits until the application answers the command line, after its first paint. */
const listening = (userData: string): Promise<void> =>
  expect.poll(() => existsSync(join(userData, commandAddressFile)), { timeout: 60_000 }).toBe(true)

test('commands answer from the running application, without a display', async ({ start, place, secrets }) => {
  test.setTimeout(400_000)
  const { userData } = place
  const { electron, window } = await start()
  await listening(userData)
  const signedOut = await wheelhouse(userData, ['ls', '--json'])
  expect(signedOut.code).toBe(4)
  expect(outputs.error.parse(JSON.parse(signedOut.output))).toMatchObject({ error: { kind: 'noAccount' } })

  await lookAround(window)
  const names = await machineNames(window)

  const [listed, shown] = await Promise.all([
    jsonOf(userData, 'ls'),
    jsonOf(userData, 'show', 'eval-nightly'),
  ])
  expect(listed.machines.map(({ name }) => name).toSorted()).toEqual([...names].toSorted())
  expect(shown.machine).toMatchObject({ name: 'eval-nightly', status: expect.any(String) })
  expect((await jsonOf(userData, 'cost')).currencies).toContainEqual(
    expect.objectContaining({ currency: 'USD', perHour: expect.any(Number) }),
  )
  expect((await jsonOf(userData, 'waste')).items.length).toBeGreaterThan(0)
  expect((await jsonOf(userData, 'budget')).budget).toBeNull()
  expect((await jsonOf(userData, 'gpus')).machines).toEqual([])

  const table = await wheelhouse(userData, ['ls'])
  expect(table.output).toMatch(/^NAME +STATUS +GPU +ADDRESS +REGION +PER HOUR\n/)
  expect(table.output).toContain('eval-nightly')
  const doctor = await wheelhouse(userData, ['doctor'])
  expect(doctor.output).toMatch(/^Application +ok/)

  // A password is printed only if the window allows it.
  const dialog = window.getByRole('dialog', { name: 'Show the password of eval-nightly in a terminal?' })
  const refused = wheelhouse(userData, ['show', 'eval-nightly', '--show-secret', '--json'])
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  expect((await refused).code).toBe(7)
  const allowed = jsonOf(userData, 'show', 'eval-nightly', '--show-secret')
  await expect(dialog).toBeVisible()
  await pictureInBothThemes(electron, window, 'A command asks for a password')
  await dialog.getByRole('button', { name: 'Show the password' }).click()
  const { password } = await allowed
  expect(password).toMatch(/^\S{8,}$/)
  secrets.push({ what: 'password of eval-nightly', value: password ?? '' })

  await jsonOf(userData, 'open', 'machines', 'eval-nightly')
  await expect(panelOf(window, 'eval-nightly')).toBeVisible()
  await jsonOf(userData, 'open', 'billing')
  await expect(window).toHaveURL(/#\/billing/)
})

test('commands change machines once they are confirmed', async ({ start, place }) => {
  test.setTimeout(400_000)
  const { userData } = place
  const { window } = await start()
  await lookAround(window)
  await machineNames(window)
  await listening(userData)

  const ran = await wheelhouse(userData, ['run', 'eval-nightly', '--', 'echo', '--json'])
  expect(ran, ran.errors).toMatchObject({ code: 0, output: '--json\n' })
  // The exit code of the machine's shell for an unknown command.
  expect((await wheelhouse(userData, ['ssh', 'eval-nightly', '--', 'no-such-command'])).code).toBe(127)

  const file = join(place.home, 'results.csv')
  await writeFile(file, 'a,b')
  const copied = await wheelhouse(userData, ['cp', file, 'eval-nightly:/tmp/'])
  expect(copied.code, copied.errors).toBe(0)
  const back = join(place.home, 'back.csv')
  await wheelhouse(userData, ['cp', 'eval-nightly:/tmp/results.csv', back])
  expect(await readFile(back, 'utf8')).toBe('a,b')

  expect((await wheelhouse(userData, ['show', 'nobody'])).code).toBe(5)
  expect((await wheelhouse(userData, ['show'])).code).toBe(2)
  expect(await jsonOf(userData, 'stop', 'eval-nightly')).toMatchObject({ outcome: 'done' })
  // The service refuses it until the machine has stopped.
  await expect
    .poll(async () => (await wheelhouse(userData, ['start', 'eval-nightly'])).code, { timeout: 150_000 })
    .toBe(0)
  expect((await wheelhouse(userData, ['delete', 'eval-nightly'])).code).toBe(7)
  expect((await wheelhouse(userData, ['delete', 'eval-nightly', '--yes-delete', 'other'])).code).toBe(7)
  await jsonOf(userData, 'delete', 'eval-nightly', '--yes-delete', 'eval-nightly')
  await expect.poll(() => machineNames(window)).not.toContain('eval-nightly')
})

test('a command starts a closed application in the background', async ({ start, place }) => {
  test.setTimeout(400_000)
  const { userData } = place
  const application = await start()
  await lookAround(application.window)
  const names = await machineNames(application.window)
  await application.quit()
  expect(existsSync(join(userData, commandAddressFile))).toBe(false)

  const closed = await wheelhouse(userData, ['ls'])
  expect(closed).toMatchObject({ code: 3, output: '' })
  expect(closed.errors).toContain('no display')
  expect((await wheelhouse(userData, ['doctor'])).code).toBe(1)

  const env = { ...process.env, HOME: place.home }
  const begun = await wheelhouse(userData, ['ls', '--json'], env)
  expect(begun.errors).toContain('in the background')
  expect(begun.code, begun.errors).toBe(0)
  expect(outputs.ls.parse(JSON.parse(begun.output)).machines).toHaveLength(names.length)
  const pid = listeningProcess(userData)
  process.kill(pid, 'SIGTERM')
  await expect.poll(() => existsSync(join(userData, commandAddressFile)), { timeout: 60_000 }).toBe(false)
  await expect.poll(() => existsSync(`/proc/${String(pid)}`), { timeout: 60_000 }).toBe(false)
})

test('links show pages on a warm and a cold start, and connect to nothing', async ({ start, place }) => {
  test.setTimeout(400_000)
  const { userData } = place
  const first = await start()
  await lookAround(first.window)
  await machineNames(first.window)
  const id = await machineId(first.window, 'eval-nightly')

  const env = { ...process.env, HOME: place.home }
  await runApplication(userData, [`wheelhouse://machine/${id}`], env)
  await expect(panelOf(first.window, 'eval-nightly')).toBeVisible()
  await runApplication(userData, ['wheelhouse://cost'], env)
  await expect(first.window).toHaveURL(/#\/billing/)
  await runApplication(userData, [`wheelhouse://delete/${id}`], env)
  await expect(first.window).toHaveURL(/#\/billing/)
  await first.quit()

  const { window } = await start({}, ['--disable-gpu', `wheelhouse://terminal/${id}`])
  const panel = panelOf(window, 'eval-nightly')
  await expect(panel.getByRole('tab', { name: 'Connection' })).toHaveAttribute('aria-selected', 'true')
  await expect(panel.getByRole('button', { name: 'Connect in' })).toBeVisible()
  await expect(window).not.toHaveURL(/#\/terminals/)
})

test('help and completion need no application', async ({ place }) => {
  const { userData } = place
  const help = await wheelhouse(userData, ['--help'])
  expect(help.output).toContain('Usage: wheelhouse COMMAND')
  const german = await wheelhouse(userData, ['--help'], { ...process.env, LC_ALL: 'de_DE.UTF-8' })
  expect(german.output).toContain('Aufruf: wheelhouse BEFEHL')
  expect((await wheelhouse(userData, ['completion', 'bash'])).output).toContain('complete -F _wheelhouse')
  expect((await wheelhouse(userData, ['nothing'])).code).toBe(2)
})
