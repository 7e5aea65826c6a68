import type { LookBefore } from '#shared/bridge/last-look'
import type { Shell } from './command'
import { gpusOf } from './gpu'
import { runningJobs } from './jobs'
import { processesOf } from './processes'
import { remoteOf, repositoriesOf } from './repositories'

/** Age of the last checkpoint in seconds, and its size in bytes. */
const checkpoint = { age: 5_400, bytes: 14_200_000_000 } as const

/** Returns the answer of a sandbox machine to the application's script before a stop or delete, as the script prints it. */
export function lastLookAnswer(shell: Shell, before: LookBefore): string {
  const { machine, home, now, startedAt } = shell
  const workload = machine.workload?.() ?? 'idle'
  const pids = new Set(gpusOf(machine, now()).flatMap(({ processes }) => processes.map(({ pid }) => pid)))
  const processes = processesOf(machine, startedAt, now()).filter(({ pid }) => pids.has(pid))
  const sessions = shell.tmux.sessions()
  const running = [
    ...runningJobs(shell).map(([id, command]) => `job ${id} ${command.replaceAll('\n', ' ')}`),
    'tool gpus',
    ...processes.map(({ pid }) => `gpus ${String(pid)}`),
    'gpus exit 0',
    ...processes.map(
      ({ pid, user, started, command }) =>
        `program ${String(pid)} ${user} ${String(Math.max(0, Math.floor(now() - started)))} ${command}`,
    ),
    ...(sessions.length > 0
      ? ['tool tmux', ...sessions.map(({ name }) => `tmux =${name}`), 'tmux exit 0']
      : []),
  ]
  const disks = [
    'place own',
    ...repositoriesOf(shell).flatMap(({ path, changes, unpushed, stashes }) => [
      `repository ${path}`,
      `unpushed 0 1 ${String(unpushed)}`,
      'tagged 0 1 0',
      `changes 0 ${String(changes)}`,
      `stashes 0 ${String(stashes)}`,
    ]),
    ...(workload === 'training'
      ? [
          `file ${String(checkpoint.bytes)} ${String(Math.floor(now() - checkpoint.age))} ${home}/checkpoints/step-12000.pt`,
        ]
      : []),
  ]
  return [...running, ...(before === 'delete' ? disks : []), 'end', ''].join('\n')
}

/** Returns the answer to the application's script for the branches of a repository, as the script prints it. */
export function branchesAnswer(shell: Shell, script: string): string {
  const repository = repositoriesOf(shell).find(({ path }) => script.includes(`'${path}'`))
  if (!repository) return 'end\n'
  const { name, unpushed } = repository
  return [
    `remote origin ${remoteOf(name)}`,
    `branch origin refs/heads/main refs/heads/main ${String(unpushed)}`,
    'end',
    '',
  ].join('\n')
}
