/** The sandbox counts in millionths of a dollar, whole numbers, so that its sums are exact. */
const microsPerDollar = 1_000_000

/** Millionths as the dollars that the service tells. */
export const dollars = (micros: number): number => micros / microsPerDollar
