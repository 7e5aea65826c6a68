import type { Command, CommandInput } from './command'
import { completionScript, isShell, shells } from './completion'
import type { Context } from './context'
import { create } from './create'
import { doctor } from './doctor'
import { end } from './end'
import { CommandFailure } from './failure'
import { jobs, logs } from './jobs'
import { gpus } from './list-gpus'
import { ls, show } from './list-machines'
import { deleteMachine, power } from './machine-actions'
import { open, pages } from './open-page'
import { copy, forward, runCommand, shell } from './over-ssh'
import { budget, cost, waste } from './spending'
import { watch } from './watch'

const oneMachine = ['MACHINE']

/** Commands in the order of the help. Completion and help derive from this table. */
export const commands: readonly Command[] = [
  { name: 'ls', required: [], run: ls },
  { name: 'show', required: oneMachine, options: ['show-secret'], run: show },
  {
    name: 'create',
    required: [],
    optional: ['NAME'],
    options: [
      'template',
      'flavor',
      'image',
      'key',
      'region',
      'count',
      'init-script',
      'max-per-hour',
      'wait',
      'yes',
    ],
    run: create,
  },
  { name: 'watch', required: ['FLAVOR'], options: ['region'], run: watch },
  { name: 'start', required: oneMachine, run: power('start') },
  { name: 'stop', required: oneMachine, options: ['lose-work'], run: power('stop') },
  { name: 'delete', required: oneMachine, options: ['yes-delete', 'lose-work'], run: deleteMachine },
  {
    name: 'end',
    required: oneMachine,
    options: ['at', 'after', 'idle', 'budget', 'when-done', 'stop', 'delete', 'cancel'],
    run: end,
  },
  { name: 'ssh', required: oneMachine, takesRest: true, options: ['anyway'], run: shell },
  { name: 'run', required: oneMachine, takesRest: true, options: ['anyway'], run: runCommand },
  { name: 'cp', required: ['SOURCE', 'TARGET'], options: ['anyway'], run: copy },
  {
    name: 'forward',
    required: ['MACHINE', 'PORT'],
    optional: ['LOCAL_PORT'],
    options: ['anyway'],
    run: forward,
  },
  { name: 'jobs', required: [], optional: oneMachine, run: jobs },
  { name: 'logs', required: ['JOB'], options: ['follow'], run: logs },
  { name: 'open', required: [], optional: ['PAGE', 'MACHINE'], run: open },
  { name: 'cost', required: [], run: cost },
  { name: 'waste', required: [], run: waste },
  { name: 'gpus', required: [], run: gpus },
  { name: 'budget', required: [], optional: ['AMOUNT'], run: budget },
  { name: 'doctor', required: [], run: doctor },
  { name: 'mcp', required: [], run: serveAgents },
  { name: 'completion', required: ['SHELL'], isLocal: true, run: completion },
]

/** Loads the protocol only for this command. */
async function serveAgents(context: Context): Promise<undefined> {
  const { mcp } = await import('./mcp')
  return mcp(context)
}

/** Reads the table of commands, which holds this command too. */
function completion({ terminal, text }: Context, { words: [word = ''] }: CommandInput): Promise<undefined> {
  if (!isShell(word))
    throw new CommandFailure('usage', text('errors.unknownShell', { shell: word, shells: shells.join(', ') }))
  terminal.print(completionScript(word, commands, { pages, text }))
  return Promise.resolve(undefined)
}
