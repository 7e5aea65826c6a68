import type { Shell } from './run-line'

/** What a person reads on entering a machine. */
export const motd = (shell: Shell): string => {
  const { gpu, gpuCount } = shell.machine
  const hardware = gpuCount > 0 ? `${gpuCount} x ${gpu.replace(/[^\x20-\x7e]/g, '?')}` : 'no GPU'
  return `This is ${shell.host} (${hardware}), a machine of the Wheelhouse sandbox.

It looks like the real thing and is none: no command reaches your own computer,
and its disk lives in memory until the sandbox stops. Type "help" to look around.

`
}
