import { machines as words } from '#shared/messages/en/machines'
import type { MachineView } from '#shared/bridge/fleet'
import { formatCount, numberFormat, perLocale } from '#shared/locale'
import { foreignText } from '../components/foreign-text'
import { t, tPath } from '../platform/i18n'

// A long list asks for the same few again and again.
const statusTexts = perLocale(() => new Map<string, string>())

/** A status as a person reads it; one never seen before as the service says it. */
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

/** With a part of a GPU, such as 0.5. */
const gpus = numberFormat({ maximumFractionDigits: 2 })

/** `8 × NVIDIA H100`; the model alone where the count is unknown; null where there is no GPU or none is reported. */
export function gpuText({ gpu, gpuCount }: MachineView['flavor']): string | null {
  if (!gpu || gpuCount === 0) return null
  const model = foreignText(gpu)
  return gpuCount === null ? model : t('machines.gpuCount', { count: gpus(gpuCount), gpu: model })
}

/** The same without the maker's name, for narrow places: `8 × H100`. */
export const shortGpuText = (flavor: MachineView['flavor']): string | null =>
  gpuText({ ...flavor, gpu: flavor.gpu?.replace(/^(?:NVIDIA|AMD|Intel)\s+(?=\S)/i, '') ?? null })

/** `208 cores · 1,800 GB RAM · 2,000 GB disk`, as far as it is reported; null where nothing is. */
export function hardwareText({ cpu, ram, disk }: MachineView['flavor']): string | null {
  const parts = [
    cpu === null ? null : t('machines.panel.cores', {}, cpu),
    ram === null ? null : t('machines.panel.memory', { gigabytes: formatCount(ram) }),
    disk === null ? null : t('machines.panel.disk', { gigabytes: formatCount(disk) }),
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** The line under a machine's name: `8 × H100 · 208 cores · 1,800 GB · DALLAS`. */
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
      // A line ends between facts, never inside "1,536 GB".
      .map((part) => part.replaceAll(' ', '\u00a0'))
      .join(' · ')
  )
}
