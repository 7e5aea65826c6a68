import { nothing, type ServiceHttp } from './http'
import { seg } from './path-segment'

export type PowerAction = 'start' | 'stop' | 'reboot'

/**
 * Starting, stopping and rebooting a virtual machine, and deleting it for good (service-extensions.md). The first
 * three are GETs that change state: they go out as what they do, never as a read.
 */
export const power = (http: ServiceHttp) => ({
  change: (machineId: string, action: PowerAction) =>
    http.send('GET', `/virtual-machines/${seg(machineId)}/${action}`, undefined, nothing),
  remove: (machineId: string) =>
    http.send('DELETE', `/virtual-machines/${seg(machineId)}`, undefined, nothing),
})
