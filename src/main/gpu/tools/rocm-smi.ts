import { z } from 'zod'
import type { GpuReading, GpuReport, Measured } from '#shared/bridge/gpu'
import type { CommandResult } from '../../ssh/client/transport'
import { withDistinctIds } from './distinct-ids'
import { complaintOf, shortened } from './tool-complaint'

export const rocmQuery =
  'env LC_ALL=C rocm-smi --showproductname --showuniqueid --showuse --showmeminfo vram --showtemp --showpower --showmaxpower --showclocks --showdriverversion --json'

/** Upper bound on the entries of one card; rocm-smi prints about twenty. */
const maxEntries = 200

/** Entries without a copy: copying a card with very many entries takes as long as parsing it. */
const Entries = z.custom<object>((card) => typeof card === 'object' && card !== null && !Array.isArray(card))
const Cards = z.record(z.string(), Entries)

/** Patterns of keys, which contain the unit: "Average Graphics Package Power (W)". The first match is used. */
const keys = {
  utilization: [/^GPU use \(%\)$/i],
  memoryTotal: [/^VRAM Total Memory \(B\)$/i],
  memoryUsed: [/^VRAM Total Used Memory \(B\)$/i],
  temperature: [/^Temperature \(Sensor edge\) \(C\)$/i, /^Temperature \(Sensor junction\) \(C\)$/i],
  power: [
    /^Current Socket Graphics Package Power \(W\)$/i,
    /^Average Graphics Package Power \(W\)$/i,
    /^Graphics Package Power \(W\)$/i,
  ],
  powerLimit: [/^Max Graphics Package Power \(W\)$/i],
  clock: [/^sclk clock speed:?$/i],
  memoryClock: [/^mclk clock speed:?$/i],
  name: [/^Card Series:?$/i, /^Card Model:?$/i, /^Card SKU:?$/i],
  id: [/^Unique ID:?$/i],
} as const

type Card = readonly (readonly [key: string, value: unknown])[]

const cardFrom = (entries: object): Card => Object.entries(entries).slice(0, maxEntries)

function textOf(card: Card, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const [, value] = card.find(([key]) => pattern.test(key)) ?? []
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && !/^(?:n\/a|none|unknown|)$/i.test(text.trim())) return text.trim()
  }
  return undefined
}

/** Parses a value. `form`: pattern with the digits in its first group; `divisor`: conversion to our unit. */
function valueOf(
  card: Card,
  patterns: readonly RegExp[],
  { form, to, divisor = 1 }: { form: RegExp; to: number; divisor?: number },
): Measured {
  const text = textOf(card, patterns)
  if (text === undefined) return 'not-available'
  if (/^\(?\d+,\d/.test(text)) return 'decimal-comma'
  const value = Number(form.exec(text)?.[1] ?? NaN) / divisor
  return value >= 0 && value <= to ? value : 'not-understood'
}

const plain = /^(\d+(?:\.\d+)?)$/
const clockForm = /^\(?(\d+(?:\.\d+)?) ?Mhz\)?$/i
const mebibyte = 1_048_576

function cardOf(card: Card, index: number): GpuReading {
  return {
    id: shortened(textOf(card, keys.id) ?? `gpu-${String(index)}`, 80),
    index,
    name: shortened(textOf(card, keys.name) ?? 'AMD', 80),
    utilization: valueOf(card, keys.utilization, { form: plain, to: 100 }),
    samples: null,
    activity: null,
    memoryUsed: valueOf(card, keys.memoryUsed, { form: plain, to: 1e8, divisor: mebibyte }),
    memoryTotal: valueOf(card, keys.memoryTotal, { form: plain, to: 1e8, divisor: mebibyte }),
    temperature: valueOf(card, keys.temperature, { form: plain, to: 250 }),
    power: valueOf(card, keys.power, { form: plain, to: 100_000 }),
    powerLimit: valueOf(card, keys.powerLimit, { form: plain, to: 100_000 }),
    clock: valueOf(card, keys.clock, { form: clockForm, to: 100_000 }),
    clockMax: 'not-available',
    memoryClock: valueOf(card, keys.memoryClock, { form: clockForm, to: 100_000 }),
    throttle: 'not-available',
    eccCorrected: 'not-available',
    eccUncorrected: 'not-available',
    mig: false,
    instances: [],
  }
}

/** Parses the cards in the output, which may have warnings around its JSON. */
function cardsIn(stdout: string): z.infer<typeof Cards> | undefined {
  const start = stdout.indexOf('{')
  const end = stdout.lastIndexOf('}')
  try {
    const parsed = Cards.safeParse(JSON.parse(stdout.slice(start, end + 1)))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Parses the output of `rocm-smi --json`. Pure, never throws. */
export function rocmReport(result: CommandResult): GpuReport {
  const cards = cardsIn(result.stdout)
  const gpus = Object.entries(cards ?? {}).flatMap(([name, card]) => {
    const [, index] = /^card(\d{1,3})$/.exec(name) ?? []
    return index === undefined ? [] : [cardOf(cardFrom(card), Number(index))]
  })
  if (cards && gpus.length > 0) {
    const driver = textOf(cardFrom(cards['system'] ?? {}), [/^Driver version:?$/i])
    return {
      kind: 'gpus',
      tool: 'rocm-smi',
      driver: driver === undefined ? null : shortened(driver, 20),
      gpus: withDistinctIds(gpus)
        .toSorted((a, b) => a.index - b.index)
        .slice(0, 64),
      processes: null,
      isDetailed: true,
      said: null,
    }
  }
  const complaint = complaintOf(result)
  if (complaint) return complaint
  return cards
    ? { kind: 'no-gpus' }
    : { kind: 'not-understood', said: shortened(result.stdout || result.stderr) }
}
