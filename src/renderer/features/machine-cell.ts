import type { MachineView } from '#shared/bridge/fleet'
import { foreignCell } from '../components/grid/foreign-cell'
import type { CellText } from '../components/grid-columns'
import { t } from '../platform/i18n'
import { duration, exactTime } from '../platform/time'
import { gpuText, shortGpuText } from './machine-text'

export const gpuCell = (flavor: MachineView['flavor']): CellText => ({
  text: shortGpuText(flavor) ?? t('common.none'),
  title: gpuText(flavor) ?? undefined,
})

/**
 * Returns the text of a cell in a list of machines or bare metal; undefined for columns with components. `now` and
 * `runningSince` in epoch seconds.
 */
export function machineCell(
  { flavor, region, address, startedAt }: Pick<MachineView, 'flavor' | 'region' | 'address' | 'startedAt'>,
  column: string,
  now: number,
  runningSince: number | null,
): CellText | undefined {
  switch (column) {
    case 'flavor':
      return foreignCell(flavor.name, 'muted')
    case 'region':
      return foreignCell(region, 'muted')
    case 'address':
      return foreignCell(address, 'mono')
    case 'gpu':
      return gpuCell(flavor)
    case 'uptime':
      return {
        text: runningSince === null ? t('common.none') : duration(now - runningSince),
        title: startedAt === null ? undefined : t('machines.startedAt', { time: exactTime(startedAt) }),
        look: 'muted tabular',
      }
    default:
      return undefined
  }
}
