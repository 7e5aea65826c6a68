import { nothing, type ServiceHttp } from './http'
import { seg } from './path-segment'

export type PowerAction = 'start' | 'stop' | 'reboot'

/**
 * Starts, stops, reboots and deletes virtual machines (service-extensions.md). The first three are GETs that change
 * state, so they are never sent as reads.
 */
export const power = (http: ServiceHttp) => ({
  change: (machineId: string, action: PowerAction) =>
    http.send('GET', `/virtual-machines/${seg(machineId)}/${action}`, undefined, nothing),
  remove: (machineId: string) =>
    http.send('DELETE', `/virtual-machines/${seg(machineId)}`, undefined, nothing),
})
