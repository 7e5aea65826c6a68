import { expect, it } from 'vitest'
import { type JobQuestion, jobScript } from '#shared/job-script'
import { makeMachine, testTime } from '../fixtures/machines'
import { shellOn } from '../fixtures/shells'
import type { Shell } from './command'
import { runningJobs } from './jobs'
import { runLine } from './run-line'

async function answer(shell: Shell, question: JobQuestion): Promise<readonly string[]> {
  let text = ''
  for await (const { data } of runLine(jobScript([question]), shell)) text += String(data)
  const [, ...lines] = text.trimEnd().split('\n')
  expect(lines.pop()).toBe('end')
  return lines.filter((line) => line !== '')
}

it('a command sleeps on the sandbox’s clock, prints, and ends with its code', async () => {
  let now = testTime
  const shell = shellOn(makeMachine({}), { now: () => now })
  const command = 'echo begin; sleep 60; echo middle && sleep 60; ls /nowhere'
  expect(await answer(shell, ['start_job', 'a1', command])).toMatchObject([
    /^started 30000 \d+ \S+ \d+ tmux$/,
  ])
  expect(await answer(shell, ['log_command', 'a1'])).toEqual(['log 6', 'begin'])
  now += 90
  expect(await answer(shell, ['command_state', 'k', 'a1'])).toEqual(['job k running'])
  expect((await answer(shell, ['log_command', 'a1'])).at(-1)).toBe('middle')
  now += 90
  expect(await answer(shell, ['command_state', 'k', 'a1'])).toEqual([
    `job k ended 2 ${String(testTime + 120)}`,
  ])
  expect((await answer(shell, ['log_command', 'a1'])).at(-1)).toMatch(/No such file/)
})

it('a command is lost after a reboot, and can be ended', async () => {
  const shell = shellOn(makeMachine({}))
  const [started = ''] = await answer(shell, ['start_job', 'a1', 'sleep 600'])
  const [, pid = '', start = ''] = started.split(' ')
  const rebooted = { ...shell, startedAt: shell.startedAt + 60 }
  expect(await answer(rebooted, ['command_state', 'k', 'a1'])).toEqual(['job k rebooted'])
  expect(await answer(shell, ['end_command', pid, start, 'TERM'])).toEqual(['ended'])
  expect(await answer(shell, ['command_state', 'k', 'a1'])).toEqual([`job k ended 143 ${String(testTime)}`])
  expect(await answer(shell, ['command_state', 'k', 'zz'])).toEqual(['job k files-gone'])
})

it('processes on GPUs and panes of tmux are described', async () => {
  const shell = shellOn(makeMachine({ workload: () => 'training', gpu: 'NVIDIA H100 80GB SXM', gpuCount: 1 }))
  for await (const _output of runLine('tmux new -d -s work', shell));
  expect(await answer(shell, ['panes'])).toEqual(['pane default %0 20000 20000 work:0.0\tbash'])
  const [label, process = ''] = await answer(shell, ['describe_pane', 'default', '%0'])
  expect([label, process]).toEqual(['label work:0.0', expect.stringMatching(/^process 20000 \d+ \S+ bash$/)])
  expect(await answer(shell, ['describe', '99999'])).toEqual(['none'])
  const running = await answer(shell, ['processes'])
  expect(running).toContainEqual(expect.stringMatching(/^running \d+ \d+ jupyter-lab/))
  expect(running.join('\n')).not.toMatch(/systemd|cron/)
  const [, pid = '', start = ''] = process.split(' ')
  expect(await answer(shell, ['process_state', 'k', pid, start])).toEqual(['job k running'])
  expect(await answer(shell, ['process_state', 'k', pid, '1'])).toEqual(['job k ended'])
  expect(await answer(shell, ['pane_state', 'k', pid, start, 'default', '%0'])).toEqual(['job k running'])
})

it('a command that nobody asks about ends at its time', async () => {
  let now = testTime
  const shell = shellOn(makeMachine({}), { now: () => now })
  await answer(shell, ['start_job', 'a1', 'sleep 60; echo end'])
  expect(runningJobs(shell)).toEqual([['a1', 'sleep 60; echo end']])
  now += 60
  expect(runningJobs(shell)).toEqual([])
})
