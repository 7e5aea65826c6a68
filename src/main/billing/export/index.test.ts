import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { StatementQuery, UsageQuery } from '#shared/bridge/billing'
import { systemTimeZone } from '#shared/money/calendar'
import { defaultCurrency, moneyFromDecimal } from '#shared/money/money'
import { connectWithToken, control, runSandbox, setUp } from '../../../../test/fixtures/account-harness'
import { smallDisk, whyNoSmallDisk } from '../../../../test/fixtures/small-disk'
import { booksOf } from '../../../../test/fixtures/spending-harness'
import { createBillingEntries } from '../entries/index'
import { createExports } from './index'

const job = 'job-00000001'
const everyStatement: StatementQuery = {
  kind: 'statements',
  filter: {},
  sort: 'startedAt',
  descending: true,
}
const everyUsage: UsageQuery = { kind: 'usage', filter: {}, sort: 'total', descending: true }

/** Account of a sandbox whose clock only the test moves, and a folder for exports. */
async function open(options: { folder?: string; before?: (offset: number) => Promise<void> } = {}) {
  const sandbox = await runSandbox()
  await control(sandbox, 'POST', '/clock', { held: true })
  const harness = await setUp()
  const { id: account } = await connectWithToken(harness, sandbox)
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'wheelhouse-export-')))
  if (options.folder === undefined) onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let target: string | null = join(folder, 'export')
  const progress: (readonly [done: number, total: number | null])[] = []
  const progressListeners = new Set<(done: number) => void>()
  const now = () => Date.now() / 1000
  const entries = createBillingEntries({
    now,
    accounts: {
      service: (id) => {
        const service = harness.accounts.service(id)
        return {
          ...service,
          billing: {
            ...service.billing,
            statements: async (page, signal) => {
              await options.before?.(page.offset ?? 0)
              return service.billing.statements(page, signal)
            },
          },
        }
      },
    },
    currencies: { of: () => ({ currency: defaultCurrency, assumed: true }) },
    remembered: () => [],
    ledgerTotal: () => undefined,
  })
  entries.events['billing.progress'](({ done, total }) => {
    progress.push([done, total])
    progressListeners.forEach((listener) => listener(done))
  })
  const asked: string[] = []
  const shown: string[] = []
  const { handlers } = createExports({
    now,
    accounts: harness.accounts,
    costs: {
      requireView: () => expect.fail('not asked'),
      days: () => Promise.reject(new Error('not asked')),
      resources: () => Promise.reject(new Error('not asked')),
      gpus: () => Promise.reject(new Error('not asked')),
    },
    entries,
    chooseTarget: (name) => {
      asked.push(name)
      return Promise.resolve(target)
    },
    showInFolder: (path) => shown.push(path),
    printPdf: () => Promise.reject(new Error('not asked')),
  })
  return {
    sandbox,
    account,
    entries,
    folder,
    progress,
    asked,
    shown,
    show: (of: string) => handlers['export.show']({ job: of }),
    progressListeners,
    cancelDialog: () => (target = null),
    save: (format: 'csv' | 'json', source: Parameters<(typeof handlers)['export.table']>[0]['source']) =>
      Promise.resolve(handlers['export.table']({ account, job, format, source })),
    /** Current list of the service. */
    statementsOf: ({ status }: { status: string }) =>
      harness.accounts.service(account).billing.statements({
        limit: 1_000,
        filters: [{ key: 'status', op: 'eq', val: status }],
        sortField: 'started_time',
        sortOrder: 'asc',
      }),
    file: () => readFile(join(folder, 'export'), 'utf8'),
  }
}

const Rows = z.array(z.record(z.string(), z.string()))
const rowsOf = (csv: string) => Rows.parse(parse(csv, { bom: true, columns: true, record_delimiter: '\r\n' }))
const millionths = (text: string | undefined): number =>
  moneyFromDecimal(text ?? '', defaultCurrency)?.millionths ?? Number.NaN
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

describe('an export', () => {
  it('of statements is what the books of the service say, resource by resource', async () => {
    const { sandbox, save, file, progress, asked } = await open()
    const books = await booksOf(sandbox)
    const saved = await save('csv', everyStatement)
    const rows = rowsOf(await file())
    expect(saved).toEqual({ file: 'export', rows: rows.length, complete: true })
    expect(asked).toEqual([expect.stringMatching(/^statements-\d{4}-\d\d-\d\d\.csv$/)])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    for (const { resource_id, name, charged } of books.resources) {
      const own = rows.filter((row) => row.resource_id === resource_id)
      expect(sum(own.map(({ amount }) => millionths(amount)))).toBe(charged)
      expect(own.every((row) => row.resource_name === name)).toBe(true)
    }
    expect(progress.at(-1)).toEqual([rows.length, rows.length])
  })

  it('is named after what it holds, and each row says of which days, of which account and when', async () => {
    const { save, file, asked, shown, show, folder } = await open()
    expect(() => show(job)).toThrow()
    const one = { kind: 'rows', name: 'costs', columns: ['name'], rows: [['train']] } as const
    const period = { from: '2026-10-01', until: '2026-11-01' }
    await save('csv', { ...one, columns: ['name'], rows: [['train']], period })
    const text = await file()
    expect(text.split('\r\n')[0]).toBe('\uFEFFname,period_from,period_to,account,exported_at,time_zone')
    expect(rowsOf(text)).toEqual([
      {
        name: 'train',
        period_from: '2026-10-01',
        period_to: '2026-10-31',
        account: expect.any(String),
        exported_at: expect.stringMatching(/^\d{4}-\d\d-\d\d /),
        time_zone: systemTimeZone(),
      },
    ])
    await save('json', { ...one, columns: ['name'], rows: [], period: { ...period, until: '2026-10-15' } })
    expect(asked).toEqual(['costs-2026-10.csv', 'costs-2026-10-01-to-2026-10-14.json'])
    await show(job)
    expect(shown).toEqual([join(folder, 'export')])
  })

  it('of usage says the same as JSON, and defuses what a spreadsheet would run', async () => {
    const { sandbox, account, entries, save, file } = await open()
    const { handlers } = entries
    const books = await booksOf(sandbox)
    await save('json', everyUsage)
    const Entries = z.array(z.object({ resource_id: z.string(), total_fee: z.string() }))
    const exported = Entries.parse(JSON.parse(await file()))
    expect(exported).toHaveLength(books.resources.length)
    expect(sum(exported.map(({ total_fee }) => millionths(total_fee)))).toBe(books.totals.fee)

    const [first] = await Promise.resolve(handlers['billing.resources']({ account }))
    expect(first?.name).toBeTruthy()
    await save('csv', {
      kind: 'rows',
      name: 'machines',
      columns: ['name', 'cost'],
      rows: [
        ['=HYPERLINK("http://example.com")', -1.5],
        [first?.name ?? '', null],
      ],
    })
    expect(rowsOf(await file())).toMatchObject([
      { name: `'=HYPERLINK("http://example.com")`, cost: '-1.5' },
      { name: first?.name, cost: '' },
    ])
  })

  it('holds what passes the filter, and only that', async () => {
    const { sandbox, account, entries, save, file } = await open()
    const books = await booksOf(sandbox)
    const longest = books.resources.toSorted((one, other) => other.charged - one.charged)[0]
    const filter = { resource: longest?.resource_id ?? '', status: 'paid' }
    await save('csv', { ...everyStatement, filter })
    const rows = rowsOf(await file())
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => row.resource_id === filter.resource && row.status === 'paid')).toBe(true)
    const total = await entries.handlers['billing.total']({
      account,
      job,
      query: { ...everyStatement, filter },
      atMost: null,
    })
    expect(total?.entries).toBe(rows.length)
    expect(total?.amounts).toEqual([
      {
        money: { currency: 'USD', millionths: sum(rows.map(({ amount }) => millionths(amount))) },
        assumed: true,
      },
    ])
  })

  it('loses and doubles nothing when a new day of charges comes in front of what is being read', async () => {
    let moved = false
    const harness = await open({ before })
    async function before(offset: number): Promise<void> {
      if (offset === 0 || moved) return
      moved = true
      await control(harness.sandbox, 'POST', '/clock', { advance: 86_400 })
    }
    const begun = (await booksOf(harness.sandbox)).now
    const saved = await harness.save('csv', everyStatement)
    const rows = rowsOf(await harness.file())
    expect(moved).toBe(true)
    expect(saved.complete).toBe(true)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    // Each charge that was complete at the start of the reading is included unchanged.
    const { items } = await harness.statementsOf({ status: 'paid' })
    const old = items.filter(({ due_time }) => due_time <= begun)
    const read = new Map(rows.map((row) => [row.id, row.amount]))
    expect(old.map(({ id }) => read.get(id))).toEqual(old.map(({ amount }) => String(amount)))
    expect(old.length).toBeGreaterThan(500)
  })
})

describe('an export that does not succeed', () => {
  it('leaves the file that was there, and nothing of its own, where the connection breaks', async () => {
    let broken = false
    const { sandbox, folder, save, file } = await open({ before })
    async function before(offset: number): Promise<void> {
      if (offset === 0) return
      broken = true
      await control(sandbox, 'POST', '/faults', { kind: 'drop', path: '/statements' })
    }
    await writeFile(join(folder, 'export'), 'before')
    await expect(save('csv', everyStatement)).rejects.toMatchObject({
      failure: { kind: 'cannot-connect' },
    })
    expect(broken).toBe(true)
    expect(await file()).toBe('before')
    expect(await readdir(folder)).toEqual(['export'])
  })

  it('is cancelled in the middle without leaving anything', async () => {
    const { entries, folder, save, progressListeners } = await open()
    progressListeners.add(() => void entries.handlers['billing.cancel']({ job }))
    await expect(save('json', everyStatement)).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    expect(await readdir(folder)).toEqual([])
  })

  it('is cancelled where the person chooses no file', async () => {
    const { folder, save, cancelDialog } = await open()
    cancelDialog()
    await expect(save('csv', everyUsage)).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
    expect(await readdir(folder)).toEqual([])
  })

  it('says that the place cannot be written to', async () => {
    const { save } = await open({ folder: join(import.meta.filename, 'nowhere') })
    await expect(save('csv', everyUsage)).rejects.toMatchObject({
      failure: { kind: 'local-fault', action: 'export' },
    })
  })
})

describe.skipIf(whyNoSmallDisk())('an export onto a disk that is too small', () => {
  it('says that it is full, leaves what was there, and nothing of its own', async () => {
    const folder = smallDisk('64k')
    await writeFile(join(folder, 'export'), 'before')
    const { save, file } = await open({ folder })
    await expect(save('csv', everyStatement)).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
    expect(await readdir(folder)).toEqual(['export'])
    expect(await file()).toBe('before')
  })
})
