import { expect, test } from './fixtures'
import { askBridge } from './support/bridge'
import { enter } from './support/enter'
import { narrow, resize } from './support/narrow'
import { catchNotifications } from './support/notifications'
import { pictureInBothThemes } from './support/pictures'
import { openMachine, showTab } from './support/window'

// Every connection is real.
const reading = { timeout: 90_000 }

test('a command is started, followed, and its end is notified', async ({ start, service }) => {
  const { electron, window } = await start()
  await enter(window, service)
  const notifications = await catchNotifications(electron)
  const name = 'train-llama-01'
  const panel = await openMachine(window, name)
  await showTab(panel, 'Jobs')
  await expect(panel.getByText('asks once a minute')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Permission for jobs')
  await panel.getByRole('button', { name: 'Only on this machine' }).focus()
  await window.keyboard.press('Enter')
  await expect(panel.getByText(/^No jobs on this machine/)).toBeVisible()
  await pictureInBothThemes(electron, window, 'A machine without jobs')

  await panel.getByRole('button', { name: 'Start command…' }).focus()
  await window.keyboard.press('Enter')
  const dialog = window.getByRole('dialog', { name: `Start a command on ${name}` })
  await dialog.getByLabel('Command').fill('echo epoch 1; sleep 30; echo out of memory; ls /nowhere')
  await pictureInBothThemes(electron, window, 'Starting a command')
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden(reading)
  const list = panel.getByRole('list', { name: 'Jobs' })
  await expect(list).toContainText('Runs, ')
  await list.getByRole('button', { name: 'Show log' }).click()
  await expect(list.getByRole('region', { name: /^Log of / })).toContainText('epoch 1', reading)
  await pictureInBothThemes(electron, window, 'A job with its log')
  await resize(electron, narrow)
  await pictureInBothThemes(electron, window, 'A job with its log, narrow')

  // The next question is up to a minute away.
  await expect(list).toContainText('Ended with exit code 2', reading)
  await expect(list.getByRole('region', { name: /^Log of / })).toContainText('No such file', reading)
  await expect.poll(notifications.shown).toContainEqual({
    title: expect.stringMatching(/^Exit code 2 on .*: echo epoch 1/),
    body: expect.stringMatching(/^After .*about .*for the machine\n[\s\S]*out of memory/),
  })
  await pictureInBothThemes(electron, window, 'A job that failed')

  await window.getByRole('link', { name: 'Overview' }).click()
  const everywhere = window.getByRole('region', { name: 'Jobs on all machines' })
  await everywhere.scrollIntoViewIfNeeded()
  await expect(everywhere).toContainText(name)
  await pictureInBothThemes(electron, window, 'Jobs on all machines')
  await everywhere.getByRole('button', { name }).click()
  await panel.getByRole('button', { name: /^Remove / }).focus()
  await window.keyboard.press('Enter')
  await expect(panel.getByText(/^No jobs on this machine/)).toBeVisible()
})

test('the end of a program on the GPUs is notified, and tmux panes can be watched @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  const account = await enter(window, service)
  const name = 'train-llama-01'
  await askBridge(window, 'ssh.setConsents', { account, machine: null, answers: { gpu: true } })
  const panel = await openMachine(window, name)
  await showTab(panel, 'GPU')
  const programs = panel.getByRole('region', { name: 'Processes' })
  const notify = programs.getByRole('button', { name: /^Notify me when .* ends/ }).first()
  await notify.scrollIntoViewIfNeeded(reading)
  await notify.focus()
  await window.keyboard.press('Enter')
  const asking = window.getByRole('dialog', { name: /^Notify me when / })
  await expect(asking).toContainText('asks train-llama-01 about its jobs once a minute')
  await pictureInBothThemes(electron, window, 'Permission to watch a process')
  await asking.getByRole('button', { name: 'Allow and notify me' }).click()
  await expect(asking).toBeHidden(reading)
  await expect(window.getByText(/^You’ll be notified when /)).toBeVisible()

  await showTab(panel, 'Jobs')
  const list = panel.getByRole('list', { name: 'Jobs' })
  await expect(list).toContainText('train.py')
  await panel.getByRole('button', { name: 'Watch…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Notify me when it ends' })
  await expect(dialog.getByRole('combobox', { name: 'Programs on the GPUs' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Watching a process')
  await dialog.getByRole('radio', { name: 'tmux pane' }).click()
  await expect(dialog).toContainText('No tmux panes of this user.', reading)
  await dialog.getByRole('radio', { name: 'GPUs idle' }).click()
  await dialog.getByLabel('Minutes without GPU work').fill('20')
  await pictureInBothThemes(electron, window, 'Watching idle GPUs')
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(list).toContainText('GPUs idle for 20 min')

  await showTab(panel, 'Cost')
  await panel.getByRole('button', { name: 'End automatically…' }).click()
  const arming = window.getByRole('dialog', { name: `End ${name} automatically` })
  await arming.getByRole('radio', { name: 'Stop', exact: true }).click()
  await arming.getByRole('radio', { name: 'After job' }).click()
  await expect(arming.getByRole('combobox', { name: 'Job' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'Arming a stop after a job')
  await arming.getByRole('combobox', { name: 'Job' }).selectOption({ index: 0 })
  await arming.getByRole('button', { name: 'Arm stop' }).click()
  const rule = panel.getByRole('region', { name: 'End automatically' })
  await expect(rule).toContainText(/Stops when python train\.py .* ends/)
  await showTab(panel, 'Jobs')

  const notifications = await catchNotifications(electron)
  await list.getByRole('button', { name: 'End…' }).click()
  const ending = window.getByRole('dialog', { name: /^End / })
  await pictureInBothThemes(electron, window, 'Ending a job')
  await ending.getByRole('button', { name: 'End', exact: true }).click()
  await expect(ending).toBeHidden(reading)
  await expect(list).toContainText('Ended, exit code unknown', reading)
  await expect.poll(notifications.shown).toContainEqual({
    title: expect.stringMatching(/^Ended on train-llama-01: .*train\.py/),
    body: expect.stringMatching(/^After [\s\S]*loss \d/),
  })
  await pictureInBothThemes(electron, window, 'A process that ended')
  // The rule gives 15 minutes from now.
  await expect(panel.getByRole('region', { name: 'Automatic end' })).toContainText('Stops in 14 min', reading)
  await panel.getByRole('button', { name: 'Don’t stop' }).click()
})
