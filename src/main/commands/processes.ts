import type { AccountId } from '#shared/bridge/account'
import type { CommandState } from '#shared/bridge/command'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { EndOutcome, processCalls } from '#shared/bridge/process'
import { type EndRequest, endProcessScript, refusals } from '#shared/end-process'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { defineModule } from '../core/module'
import { connectionLimits } from '../ssh/client/target'
import type { ExecOutcome } from '../ssh/client/transport'
import type { SshMachines } from '../ssh/machines/index'
import { execOnMachine } from './machine-run'

export interface ProcessesDeps {
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  /** Files of which a process must have one open; by default the devices of GPUs. */
  readonly devices?: readonly string[]
}

/** Returns the result that the script printed. Pure. */
export function endOutcome(outcome: ExecOutcome): EndOutcome {
  const unanswered = (state: CommandState): EndOutcome => ({ kind: 'unanswered', state })
  if (outcome.kind === 'timed-out')
    return unanswered({
      kind: 'timed-out',
      seconds: connectionLimits.command,
      ...(outcome.isLogin ? { beforeStart: true } : { mayRun: true }),
    })
  if (outcome.kind === 'not-begun') return unanswered(outcome)
  const [, kind, reason] = /^(ended|running|gone|refused)(?: ([a-z-]+))?$/m.exec(outcome.stdout) ?? []
  if (kind === 'ended' || kind === 'running' || kind === 'gone') return { kind }
  const why = refusals.find((refusal) => refusal === reason)
  if (why) return { kind: 'refused', why }
  return outcome.isRefused
    ? unanswered({ kind: 'refused', reason: outcome.stderr })
    : unanswered({ kind: 'exited', code: outcome.status })
}

/** Ends processes on GPUs, over the connection that the machine's other uses share. */
export function createProcesses({ machine, sshMachines, devices }: ProcessesDeps) {
  const ending = new AbortController()

  async function end(account: AccountId, id: string, request: EndRequest): Promise<EndOutcome> {
    const view = machine(account, id)
    const why = view ? sshDisabledReason(view) : 'gone'
    if (why) return { kind: 'unanswered', state: { kind: 'unavailable', why } }
    const use = { account, machine: id, acquire: sshMachines.acquire }
    const result = await execOnMachine(use, ending.signal, endProcessScript(request, devices))
    return 'outcome' in result ? endOutcome(result.outcome) : { kind: 'unanswered', state: result.state }
  }

  const handlers: HandlersOf<typeof processCalls> = {
    'process.end': ({ account, machine: id, ...request }) => end(account, id, request),
  }
  return defineModule({
    handlers,
    events: {},
    end,
    forgetAccount: 'keeps-nothing',
    close: (): void => ending.abort(),
  })
}
