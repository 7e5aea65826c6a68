import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Cell, decimalText } from './cell'
import { csvRows, csvWriter, zoneColumn } from './csv'
import { jsonWriter } from './json'

/** Reads CSV as a program does that accepts every line end: CRLF, LF and CR. */
const rowsOf = (text: string): string[][] =>
  parse(text, { bom: true, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true })

/** Texts that a spreadsheet runs as a formula, by their start. */
const runs = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const lineThatRuns = /[\r\n][=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20]/
/** The cell without the apostrophes that prevent formulas. */
const withoutApostrophes = (text: string): string =>
  text
    .replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')
    .replace(/([\r\n])'(?=[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1')
const plainNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '＝',
        '－',
        ' =',
        '"',
        '",=',
        ',',
        '\r\n',
        'a',
        '5',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('a table as CSV', () => {
  it('each text is one cell; lines that a spreadsheet would run get an apostrophe in front', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyText, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const back = rowsOf(csvRows(rows))
        expect(back).toHaveLength(rows.length)
        back.forEach((row, at) =>
          row.forEach((text, column) => {
            const before = rows[at]?.[column] ?? ''
            expect(withoutApostrophes(text)).toBe(withoutApostrophes(before))
            expect(text).not.toMatch(runs)
            expect(text).not.toMatch(lineThatRuns)
          }),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('a note of several lines stays one cell whose lines are no formulas', () => {
    const notes = ['first\n=1+1', 'first\r-2', 'first\r\n@SUM(A1)', 'first\n\n+3', 'plain\nnote', '\r=1']
    const text = csvRows(notes.map((note) => ['m-1', note, -5]))
    expect(rowsOf(text)).toEqual(
      ["first\n'=1+1", "first\r'-2", "first\r\n'@SUM(A1)", "first\n\n'+3", 'plain\nnote', "'\r'=1"].map(
        (note) => ['m-1', note, '-5'],
      ),
    )
    for (const note of notes) expect(csvRows([[note]])).toMatch(/^"[^]*"\r\n$/)
  })

  it('holds numbers and amounts as they are, the negative ones too, to the last digit', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.maxSafeInteger(), fc.integer()), { minLength: 1 }), (amounts) => {
        const cells: Cell[][] = amounts.map(([millionths, count]) => [BigInt(millionths), count])
        rowsOf(csvRows(cells)).forEach(([amount = '', count = ''], at) => {
          expect(amount).toMatch(plainNumber)
          expect(count).toBe(String(amounts[at]?.[1]))
          const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
          const size = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
          expect(amount.startsWith('-') ? -size : size).toBe(BigInt(amounts[at]?.[0] ?? 0))
        })
      }),
    )
    expect(csvRows([[-5, -12_345_678n, '-5', '-12.5']])).toBe("-5,-12.345678,'-5,'-12.5\r\n")
  })

  it('begins with a byte order mark and its columns, and writes times as spreadsheets read them', () => {
    const writer = csvWriter([{ key: 'started_time', cell: (at: number): Cell => ({ at }) }])
    expect(writer.head).toBe('\uFEFFstarted_time\r\n')
    for (const [zone, time] of [
      ['UTC', '2026-11-21 14:00:37'],
      ['Europe/Berlin', '2026-11-21 15:00:37'],
      ['America/Caracas', '2026-11-21 10:00:37'],
    ] as const) {
      vi.stubEnv('TZ', zone)
      expect(writer.rows([1_795_269_637], true)).toBe(`${time}\r\n`)
    }
    vi.unstubAllEnvs()
  })

  it.each([
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '02:30:00 +02:00', '02:30:00 +01:00', 3_600],
    ['America/New_York', '2026-11-01T05:15:00Z', '01:15:00 -04:00', '01:15:00 -05:00', 3_600],
    ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '01:45:00 +11:00', '01:45:00 +10:30', 1_800],
  ])(
    'distinguishes both passes of the hour when clocks go back, in %s',
    (zone, first, before, after, gap) => {
      vi.stubEnv('TZ', zone)
      const at = Date.parse(first) / 1000
      const writer = csvWriter([{ key: 'started_time', cell: (time: number): Cell => ({ at: time }) }])
      const text = (time: number): string => writer.rows([time], true).slice(11).trim()
      expect([text(at), text(at + gap)]).toEqual([before, after])
      // All moments of two days have different texts; a day later, none has an offset.
      const texts = Array.from({ length: 192 }, (_, index) => writer.rows([at + (index - 96) * 900], true))
      expect(new Set(texts).size).toBe(192)
      expect(text(at + 86_400)).toMatch(/^\d\d:\d\d:\d\d$/)
      vi.unstubAllEnvs()
    },
  )

  it('shows a charge at the first moment of a month inside that month, and names the zone', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const columns = [{ key: 'started_time', cell: (at: number): Cell => ({ at }) }, zoneColumn]
    const midnight = new Date(2026, 10, 1).getTime() / 1000
    expect(csvWriter(columns).rows([midnight], true)).toBe('2026-11-01 00:00:00,Europe/Berlin\r\n')
    vi.unstubAllEnvs()
  })

  it('knows nothing, yes and no', () => {
    expect(csvRows([[null, true, false, '']])).toBe(',true,false,\r\n')
  })
})

describe('a table as JSON', () => {
  it('is read back as it was, page by page', () => {
    const columns = [
      { key: 'name', cell: (row: readonly Cell[]) => row[0] ?? null },
      { key: 'amount', cell: (row: readonly Cell[]) => row[1] ?? null },
      { key: 'at', cell: (row: readonly Cell[]) => row[2] ?? null },
    ]
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.maxSafeInteger())), (rows) => {
        const writer = jsonWriter(columns)
        const cells = rows.map(([name, amount]): Cell[] => [name, BigInt(amount), { at: 12 }])
        const text = [
          writer.head,
          writer.rows(cells.slice(0, 2), true),
          writer.rows(cells.slice(2), cells.length === 0),
          writer.tail,
        ].join('')
        // A lone surrogate has no UTF-8 form.
        expect(JSON.parse(text)).toEqual(
          rows.map(([name, amount]) => ({ name, amount: decimalText(BigInt(amount)), at: 12 })),
        )
      }),
    )
  })
})
