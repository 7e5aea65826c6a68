import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import { formatRate } from '#shared/money/format-money'
import { type Money } from '#shared/money/money'
import type { CellText } from '../../components/grid-columns'
import {
  bootableText,
  machineText,
  noMachineText,
  regionText,
  sizeText,
} from '../../features/volumes/volume-text'
import { t } from '../../platform/i18n'
import { ago, exactTime } from '../../platform/time'
import type { VolumeColumn } from './volume-rows'

const textOr = (text: string | null, look?: string): CellText =>
  text === null
    ? { text: t('volumes.unknown'), title: t('volumes.unknownHint'), look: 'muted' }
    : { text, ...(look !== undefined && { look }) }

/** Returns the text of a cell of the volume list; undefined for columns with components. `now` in epoch seconds. */
export function volumeCell(
  volume: VolumeView,
  column: VolumeColumn,
  {
    machines,
    rates,
    now,
  }: {
    readonly machines: ReadonlyMap<string, MachineView>
    readonly rates: readonly Money[]
    readonly now: number
  },
): CellText | undefined {
  switch (column) {
    case 'size':
      return textOr(sizeText(volume))
    case 'machine': {
      if (volume.attachment.kind === 'detached') return { text: t('common.none') }
      const text = machineText(volume, machines)
      if (text !== null) return { text, title: text, isName: true }
      const why = noMachineText(volume, machines)
      return {
        text: why,
        title: t('common.sentences', { first: why, second: t('volumes.unknownHint') }),
        look: 'muted',
      }
    }
    case 'region':
      return textOr(regionText(volume), 'muted')
    case 'bootable':
      return textOr(bootableText(volume), 'muted')
    case 'perHour':
      return textOr(rates.length > 0 ? rates.map(formatRate).join(' + ') : null)
    case 'created': {
      const { createdAt } = volume
      if (createdAt === null) return textOr(null)
      return { text: ago(createdAt, now), title: exactTime(createdAt), look: 'muted' }
    }
    default:
      return undefined
  }
}
