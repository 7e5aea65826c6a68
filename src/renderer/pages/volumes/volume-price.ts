import type { VolumeView } from '#shared/bridge/volume'
import { type Money, timesMoney } from '#shared/money/money'

/**
 * Estimates the hourly price of a volume (`size` in GB) from the account's volume of the closest size, preferably in the
 * same region. Null if no volume has a price in the currency. Pure.
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
      ? [{ price, size: volume.size, isSameRegion: volume.region.id === region }]
      : []
  })
  const [closest] = priced.toSorted(
    (left, right) =>
      Number(right.isSameRegion) - Number(left.isSameRegion) ||
      Math.abs(left.size - size) - Math.abs(right.size - size),
  )
  return closest && Number.isInteger(closest.size) ? timesMoney(closest.price, size, closest.size) : null
}
