import { afterEach, describe, expect, it } from 'vitest'
import { followLocale } from '../locale'
import { formatMoney } from './format-money'
import { readAmount, typedAmount } from './read-amount'

let locale = 'en'
followLocale(() => locale)
afterEach(() => (locale = 'en'))

const read = (text: string, as = 'en') => {
  locale = as
  const reading = readAmount(text)
  return 'decimal' in reading ? [reading.kind, Number(reading.decimal)] : [reading.kind]
}

describe('a typed amount', () => {
  it.each([
    ['1200', 'en', 1200],
    ['1200.50', 'en', 1200.5],
    ['12,000.50', 'en', 12_000.5],
    ['1 200', 'en', 1200],
    ["1'200.5", 'en', 1200.5],
    ['.5', 'en', 0.5],
    ['62.507,46', 'en-DK', 62_507.46],
    ['1.250.000', 'de', 1_250_000],
    ['0,5', 'de', 0.5],
    ['0,500', 'en-DK', 0.5],
  ])('%j is read in %s as %d', (text, as, amount) => {
    expect(read(text, as)).toEqual(['amount', amount])
  })

  it.each([
    ['1.250', 'en-DK', 1250],
    ['1.250', 'en', 1.25],
    ['12,000', 'en', 12_000],
    ['0,500', 'en', 0.5],
    ['1,5', 'en', 1.5],
    ['62.507,46', 'en', 62_507.46],
  ])('%j is confirmed first in %s, understood as %d', (text, as, amount) => {
    expect(read(text, as)).toEqual(['ambiguous', amount])
  })

  it.each(['much', '-5', '1,00,00', '1.2.3', '1e5', '5 5', ','])('%j is no amount', (text) => {
    expect(read(text)).toEqual(['wrong'])
  })

  it.each(
    ['en', 'en-GB', 'en-IN', 'en-ZA', 'en-CH', 'en-AT', 'en-DK', 'en-SE', 'en-NO', 'en-CA', 'en-150'].concat([
      'zh',
      'ja',
      'de',
      'de-CH',
      'de-AT',
      'es',
      'es-MX',
      'es-AR',
      'fr',
      'fr-CH',
      'fr-CA',
    ]),
  )('reads back what is shown in %s', (as) => {
    locale = as
    for (const millionths of [500_000, 1_250_000_000, 62_507_460_000, 100_000_000_000, 1_234_567_890_000])
      for (const currency of ['USD', 'JPY', 'KWD']) {
        const shown = formatMoney({ currency, millionths })
        const reading = readAmount(shown, currency)
        const decimals = currency === 'JPY' && millionths >= 1_000_000 ? 0 : 6
        if (!shown.startsWith('<'))
          expect([shown, 'decimal' in reading && Number(reading.decimal).toFixed(decimals)]).toEqual([
            shown,
            (millionths / 1_000_000).toFixed(decimals),
          ])
      }
  })

  it.each(['en', 'de', 'en-DK'])('is shown so that it is read back in %s', (as) => {
    for (const decimal of ['1250', '0.5', '1.125', '62507.46', '1.25']) {
      locale = as
      expect(read(typedAmount(decimal), as)).toEqual(['amount', Number(decimal)])
    }
  })
})
