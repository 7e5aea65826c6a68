import { machines as words } from '#shared/messages/en/machines'
import type { MachineView } from '#shared/bridge/fleet'
import { formatCount, numberFormat, perLocale } from '#shared/locale'
import { foreignText } from '../components/foreign-text'
import { t, tPath } from '../platform/i18n'

// Cached, because long lists repeat the same few statuses.
const statusTexts = perLocale(() => new Map<string, string>())

/** Returns the text of a status. Unknown statuses stay as the service reports them. */
export function statusText(status: string | null): string {
  const texts = statusTexts()
  const key = status || 'unknown'
  const known = key.toLowerCase()
  const text =
    texts.get(key) ??
    (Object.hasOwn(words.status, known) ? tPath(`machines.status.${known}`) : foreignText(key))
  texts.set(key, text)
  return text
}

/** Formats a number of GPUs, which may be a fraction such as 0.5. */
const formatGpuCount = numberFormat({ maximumFractionDigits: 2 })

/** Returns `8 × NVIDIA H100`, or the model if the count is unknown; null if no GPU is reported. */
export function gpuText({ gpu, gpuCount }: MachineView['flavor']): string | null {
  if (!gpu || gpuCount === 0) return null
  const model = foreignText(gpu)
  return gpuCount === null ? model : t('machines.gpuCount', { count: formatGpuCount(gpuCount), gpu: model })
}

/** Returns the same without the maker's name: `8 × H100`. */
export const shortGpuText = (flavor: MachineView['flavor']): string | null =>
  gpuText({ ...flavor, gpu: flavor.gpu?.replace(/^(?:NVIDIA|AMD|Intel)\s+(?=\S)/i, '') ?? null })

/** Returns the reported parts of `208 cores · 1,800 GB RAM · 2,000 GB disk`; null if there are none. */
export function hardwareText({ cpu, ram, disk }: MachineView['flavor']): string | null {
  const parts = [
    cpu === null ? null : t('machines.panel.cores', {}, cpu),
    ram === null ? null : t('machines.panel.memory', { gigabytes: formatCount(ram) }),
    disk === null ? null : t('machines.panel.disk', { gigabytes: formatCount(disk) }),
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** Returns the line under a machine's name: `8 × H100 · 208 cores · 1,800 GB · DALLAS`. */
export function summaryText({ flavor, region }: MachineView): string {
  const { cpu, ram } = flavor
  return (
    [
      shortGpuText(flavor),
      cpu === null ? null : t('machines.panel.cores', {}, cpu),
      ram === null ? null : t('machines.panel.gigabytes', { gigabytes: formatCount(ram) }),
      region === null ? null : foreignText(region, 120),
    ]
      .filter((part) => part !== null)
      // Lines break between facts, never inside "1,536 GB".
      .map((part) => part.replaceAll(' ', '\u00a0'))
      .join(' · ')
  )
}
