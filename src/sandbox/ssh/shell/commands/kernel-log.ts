import { hasFault } from '../../machine'
import { print, type Command } from '../command'
import { gpusOf } from '../gpu'

/** Runs in place of the application's script (src/shared/kernel-log.ts). Only a machine with an Xid lets its user read it. */
export const kernelLog: Command = {
  name: 'kernel-log',
  summary: 'show failed GPU work in the kernel’s log, if this user may read it',
  *run({ shell }) {
    const { machine } = shell
    const [gpu] = gpusOf(machine, shell.now())
    if (!hasFault(machine, 'xid') || !gpu) return 0
    const seconds = Math.max(1, shell.now() - shell.startedAt - 600).toFixed(6)
    yield print('readable')
    yield print(
      `[${seconds.padStart(12)}] NVRM: Xid (PCI:${gpu.bus.slice(4, 14)}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.`,
    )
    return 0
  },
}
