import { type Money, timesMoney } from './money'

/**
 * Returns the highest price per hour that a catalog entry can mean: some catalogs list the price of one GPU. Null: unknown.
 * Pure.
 */
export const highestPrice = ({
  price,
  gpuCount,
}: {
  readonly price: Money | null
  readonly gpuCount: number | null
}): Money | null => price && timesMoney(price, Math.max(1, Math.ceil(gpuCount ?? 1)))
