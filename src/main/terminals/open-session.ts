import type { AccountId } from '#shared/bridge/account'
import type { CallInput, CallOutput, HandlersOf } from '#shared/bridge/index'
import type { sshSessionCalls } from '#shared/bridge/ssh'
import { defineModule } from '../core/module'
import type { AskingStart } from '../ssh/askpass/answers'
import type { Endpoint } from '../ssh/askpass/endpoint'
import type { Askpass } from '../ssh/askpass/index'
import { prepareInside } from './inside-terminal'
import { connect, type Connection, type LauncherDeps, sshProgram } from '../ssh/launcher/connect'
import { inside, insideTerminal } from '../ssh/launcher/terminal-choice'
import { keepCommand, newKeptName } from '../ssh/launcher/kept-session'
import type { ProgramOfTab, Terminals } from './index'
import type { Ssh } from '../ssh/index'
import type { SshKeys } from '../ssh/keys/index'

export interface SessionsDeps extends LauncherDeps {
  readonly ssh: Pick<Ssh, 'sessions' | 'record'>
  readonly terminals: Pick<Terminals, 'hasPty' | 'open' | 'runIn'>
  readonly askpass: Pick<Askpass, 'listen' | 'answers'>
  readonly keys: Pick<SshKeys, 'drop'>
  /** Resolves once a machine is known, or the list of machines was read: right after a start it is not yet. */
  untilKnown(account: AccountId, machine: string): Promise<void>
}

/** Opens sessions on machines: in a system terminal, or inside if the user wants that or no system terminal stays open. */
export function createSessions(deps: SessionsDeps) {
  const { knownHosts, chooseTerminal, connectionOf, hostKeysOf, reach } = deps.ssh.sessions
  const startOf = (account: AccountId, machine: string, connection: Connection): AskingStart => {
    const { alias, machineName, destination } = connection
    const { user, identityFile } = destination
    return { account, machine, machineName, user, alias, identityFile, ...hostKeysOf(alias) }
  }
  /** Returns where ssh asks; null: in the terminal, if it uses a jump host or has to confirm the machine's host key. */
  const listen = async (account: AccountId, machine: string, connection: Connection) => {
    const { destination, confirms, alias } = connection
    const asksItself = destination.jumpHost || (confirms && (await knownHosts.keys(alias)).length === 0)
    return asksItself ? null : deps.askpass.listen(startOf(account, machine, connection))
  }

  function programOf(
    { account, machine, kept }: Parameters<ProgramOfTab>[0],
    anyway = false,
  ): ReturnType<ProgramOfTab> {
    // The user's permission is valid for one attempt.
    let isAllowed = anyway
    return prepareInside({
      ...deps,
      knownHosts,
      command: kept === null ? null : keepCommand(kept),
      connection: async () => {
        await deps.untilKnown(account, machine)
        const connection = await connectionOf(account, machine, isAllowed)
        isAllowed = false
        return connection
      },
      listen: (connection) => listen(account, machine, connection),
      dropKey: () => deps.keys.drop(account, machine),
      answers: (connection) => deps.askpass.answers(startOf(account, machine, connection)),
      reach: (asks) => reach(account, machine, asks),
      record: (key) => deps.ssh.record(account, machine, key),
    })
  }
  deps.terminals.runIn((tab) => programOf(tab))

  async function open(input: CallInput<'ssh.connect'>): Promise<CallOutput<'ssh.connect'>> {
    const { account, machine, anyway, keep, beside } = input
    const connection = await connectionOf(account, machine, anyway ?? false)
    const kept = keep === 'new' ? newKeptName() : (keep ?? null)
    const isInside = input.inside || beside || kept !== null
    const chosen = isInside ? { ...inside, missing: null } : await chooseTerminal()
    const { terminal: program, path, missing } = chosen
    let failed: string | null = null
    if ('launch' in program) {
      // The endpoints stay open: the end of ssh in another program's window is not visible.
      const endpoints: Endpoint[] = []
      const env = async (): Promise<NodeJS.ProcessEnv> => {
        const endpoint = await listen(account, machine, connection)
        if (endpoint) endpoints.push(endpoint)
        return endpoint?.env ?? {}
      }
      const closeEndpoints = (): void => endpoints.forEach((endpoint) => endpoint.close())
      const launch = { terminal: program, path, env }
      const window = await connect(connection, launch, knownHosts, deps).catch((error: unknown) => {
        closeEndpoints()
        throw error
      })
      if (window.kind === 'ended' && connection.isRemembered) await deps.keys.drop(account, machine)
      if (window.kind !== 'failed') return { terminal: program.name, session: null, missing, failed }
      closeEndpoints()
      failed = `${program.name}: ${window.reason}`
    }
    const { user, host } = connection.destination
    const session = await deps.terminals.open({
      account,
      machine,
      name: connection.machineName,
      destination: `${user}@${host}`,
      kept,
      beside: beside ?? null,
      prepare: programOf({ account, machine, kept }, anyway),
    })
    return { terminal: insideTerminal.name, session, missing, failed }
  }

  /** The command of a terminal that is not ours: ssh asks its questions there. */
  async function command(input: CallInput<'ssh.command'>): Promise<CallOutput<'ssh.command'>> {
    const { account, machine, anyway } = input
    await deps.untilKnown(account, machine)
    const connection = await connectionOf(account, machine, anyway ?? false)
    const { ssh, args, folder } = await sshProgram(connection, knownHosts, deps)
    // The arguments end with `--` and the host.
    return { file: ssh, options: args.slice(0, -2), host: connection.destination.host, folder }
  }

  const handlers: HandlersOf<typeof sshSessionCalls> = { 'ssh.connect': open, 'ssh.command': command }
  return defineModule({
    handlers,
    events: {},
    forgetAccount: 'keeps-nothing',
    connect: (account: AccountId, machine: string): Promise<CallOutput<'ssh.connect'>> =>
      open({ account, machine }),
  })
}
