import type { MachineView } from '#shared/bridge/fleet'
import { foreignText } from '../../components/foreign-text'
import type { CellText } from '../../components/grid-columns'
import { gpuText, shortGpuText } from '../../features/machine-text'
import { t } from '../../platform/i18n'
import { duration, exactTime } from '../../platform/time'
import { type MachineColumn, upSince } from './machine-rows'

/** Returns a cell with a text of the service. */
const foreignCell = (text: string | null, look: string): CellText => ({
  text: foreignText(text ?? t('common.none'), 200),
  title: foreignText(text ?? ''),
  look,
})

/** Returns the text of a cell of the machine list; undefined for columns with components. `now` in epoch seconds. */
export function cellText(machine: MachineView, column: MachineColumn, now: number): CellText | undefined {
  switch (column) {
    case 'flavor':
      return foreignCell(machine.flavor.name, 'muted')
    case 'region':
      return foreignCell(machine.region, 'muted')
    case 'address':
      return foreignCell(machine.address, 'mono')
    case 'gpu':
      return {
        text: shortGpuText(machine.flavor) ?? t('common.none'),
        title: gpuText(machine.flavor) ?? undefined,
      }
    case 'uptime': {
      const since = upSince(machine)
      const { startedAt } = machine
      return {
        text: since === null ? t('common.none') : duration(now - since),
        title: startedAt === null ? undefined : t('machines.startedAt', { time: exactTime(startedAt) }),
        look: 'muted tabular',
      }
    }
    default:
      return undefined
  }
}
