/** What every chart says, whatever it shows. */
export const charts = {
  lowest: 'Lowest',
  mean: 'Mean',
  highest: 'Highest',
} as const
