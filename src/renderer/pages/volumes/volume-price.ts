import type { VolumeView } from '#shared/bridge/volume'
import { type Money, timesMoney } from '#shared/money/money'

/**
 * What a volume of `size` GB may cost per hour, by the fee per GB of the account's own volumes: one of the same region
 * where there is one, the closest in size. Null where none is priced, or only in another currency. Pure.
 */
export function volumeEstimate(
  volumes: readonly VolumeView[],
  perHour: (volume: string) => Money | null,
  { size, region, currency }: { readonly size: number; readonly region: string; readonly currency: string },
): Money | null {
  const priced = volumes.flatMap((volume) => {
    const price = perHour(volume.id)
    const fits = price && (currency === '' || price.currency === currency.toUpperCase())
    return fits && price.millionths > 0 && volume.size !== null && volume.size > 0
      ? [{ price, size: volume.size, isHere: volume.region.id === region }]
      : []
  })
  const [closest] = priced.toSorted(
    (one, other) =>
      Number(other.isHere) - Number(one.isHere) || Math.abs(one.size - size) - Math.abs(other.size - size),
  )
  return closest && Number.isInteger(closest.size) ? timesMoney(closest.price, size, closest.size) : null
}
