import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  dateFormat,
  followLocale,
  formatCount,
  messageLanguage,
  numberFormat,
  resolveLocale,
  textOrder,
} from './locale'
import { translate } from './messages/index'
import { formatMoney } from './money/format-money'

describe('the locale', () => {
  afterEach(() => followLocale(() => 'en'))

  it('is the user’s choice, else the first system locale that has messages', () => {
    expect(resolveLocale('de-AT', ['en-US'], ['en'])).toBe('de-AT')
    expect(resolveLocale('system', ['fr-FR', 'en-GB', 'en-US'], ['en'])).toBe('en-GB')
    expect(resolveLocale('system', ['fr-FR', 'en-GB'], ['en', 'fr'])).toBe('fr-FR')
    expect(resolveLocale('system', ['C', 'POSIX', 'no such tag'], ['en'])).toBe('en')
    expect(resolveLocale('de', ['en-US', 'de-CH'], ['en', 'de'])).toBe('de-CH')
    expect(resolveLocale('not a tag!', ['en-US'], ['en'])).toBe('en-US')
  })

  it('groups the thousands of counts in messages', () => {
    expect(translate('alerts.notice.several', { count: 1_003, account: 'lab' })).toBe('1,003 alerts for lab')
    expect(translate('alerts.notice.several', { count: 1, account: 'lab' })).toBe('1 alert for lab')
  })

  it('selects the language of the messages', () => {
    expect(messageLanguage('en-GB', ['en', 'de'])).toBe('en')
    expect(messageLanguage('de-AT', ['en', 'de'])).toBe('de')
    expect(messageLanguage('pt-BR', ['pt', 'pt-BR'])).toBe('pt-BR')
    expect(messageLanguage('fr', ['en', 'de'])).toBe('en')
  })

  it('follows the computer into another time zone', () => {
    const before = process.env.TZ
    onTestFinished(() => {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })
    const clock = dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    const clockOf = (zone: string): string => {
      process.env.TZ = zone
      return clock(Date.UTC(2026, 6, 1, 12) / 1000)
    }
    // The third has the first's offset in winter only.
    expect(['Europe/Berlin', 'America/New_York', 'Africa/Lagos', 'Europe/Berlin'].map(clockOf)).toEqual([
      '14:00',
      '08:00',
      '13:00',
      '14:00',
    ])
  })

  it('can change at run time', () => {
    let locale = 'en-US'
    followLocale(() => locale)
    const tenth = numberFormat({ minimumFractionDigits: 1 })
    const month = dateFormat({ month: 'long', timeZone: 'UTC' })
    const money = { currency: 'EUR', millionths: 1_234_500_000 }
    const all = () => [formatCount(1_234_567), tenth(0.5), month(1_764_000_000), formatMoney(money)]
    expect(all()).toEqual(['1,234,567', '0.5', 'November', '1,234.50 EUR'])
    locale = 'de'
    expect(all()).toEqual(['1.234.567', '0,5', 'November', '1.234,50 EUR'])
    expect(['z', 'ä', 'b'].sort(textOrder())).toEqual(['ä', 'b', 'z'])
    locale = 'sv'
    expect(['z', 'ä', 'b'].sort(textOrder())).toEqual(['b', 'z', 'ä'])
    // A language without messages falls back to the first.
    expect(translate('common.product')).toBe('Wheelhouse')
  })
})
