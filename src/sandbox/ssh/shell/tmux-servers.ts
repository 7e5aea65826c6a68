import type { Clock } from '../../clock'
import { forTerminal } from '../client-output'
import type { Disk } from '../disk/disk'
import { homeOf, hostNameOf, type SshMachine } from '../machine'
import type { Shell } from './command'
import { runInteractive } from './interactive'
import { createTmuxServer, type TmuxServer } from './tmux-server'

/** Creates the tmux servers of all machines. Sessions end when their machine stops. `now`: epoch seconds. */
export function createTmuxServers(startedAt: (machine: SshMachine) => number, now: Clock['now']) {
  const servers = new Map<string, { readonly startedAt: number; readonly server: TmuxServer }>()

  function forget(id: string): void {
    servers.get(id)?.server.close()
    servers.delete(id)
  }

  function create(machine: SshMachine, disk: Disk): TmuxServer {
    const server = createTmuxServer(async ({ channel, terminal, signal, write }) => {
      const shell: Shell = {
        machine,
        disk,
        host: hostNameOf(machine),
        home: homeOf(machine),
        startedAt: startedAt(machine),
        now,
        columns: () => terminal.columns,
        tmux: server,
        directory: homeOf(machine),
        status: 0,
        ended: false,
      }
      const output = { write: (data: string | Buffer, until: AbortSignal) => write(forTerminal(data), until) }
      await runInteractive(shell, channel, output, terminal, signal)
    }, now)
    return server
  }

  return {
    of(machine: SshMachine, disk: Disk): TmuxServer {
      const known = servers.get(machine.id)
      if (known?.startedAt === startedAt(machine)) return known.server
      forget(machine.id)
      const server = create(machine, disk)
      servers.set(machine.id, { startedAt: startedAt(machine), server })
      return server
    },
    /** Ends the sessions of machines for which `isRunning` is false. */
    keepOnly(isRunning: (id: string) => boolean): void {
      for (const id of servers.keys()) if (!isRunning(id)) forget(id)
    },
  }
}
