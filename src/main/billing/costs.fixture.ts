import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { SpendingView } from '#shared/bridge/cost'
import type { VolumeView } from '#shared/bridge/volume'
import {
  connectWithToken,
  control,
  type Desk,
  runSandbox,
  sitDown,
} from '../../../test/fixtures/account-desk'
import type { RunningSandbox } from '../../sandbox/sandbox'
import { openSettings } from '../store/settings'
import { createCurrencies } from './currency'
import { noLedger } from './no-ledger'
import { createResourceHistory } from './resource-history'
import { createSpending, type SpendingParts } from './spending'

const Books = z.object({
  data: z.object({
    now: z.number(),
    resources: z.array(
      z.object({
        resource_id: z.string(),
        resource_type: z.string(),
        name: z.string(),
        created_time: z.number(),
        terminated_time: z.number().nullable(),
        per_minute: z.number(),
        minutes: z.number(),
        fee: z.number(),
        charged: z.number(),
      }),
    ),
    totals: z.object({ fee: z.number(), charged: z.number(), per_minute: z.number() }),
  }),
})
export type Books = z.infer<typeof Books>['data']

/** What the sandbox itself has written down, in whole millionths. */
export const booksOf = async (sandbox: RunningSandbox): Promise<Books> =>
  Books.parse(await control(sandbox, 'GET', '/books')).data

/** Tasks that wait for their time, which is the test's to say. */
export function clockTasks() {
  const tasks = new Map<() => void, number>()
  return {
    after(seconds: number, task: () => void): () => void {
      tasks.set(task, seconds)
      return () => tasks.delete(task)
    },
    /** Runs what waits for no more than so many seconds. */
    run(seconds: number): void {
      for (const [task, wait] of [...tasks]) if (wait <= seconds && tasks.delete(task)) task()
    },
  }
}

type Around = Partial<Pick<SpendingParts, 'ledger' | 'store' | 'timeZone'>> & {
  readonly volumes?: readonly VolumeView[]
}

/** Spending of one account of a sandbox whose clock stands still, and moves when the test says so. */
export async function openSpending(
  around: (parts: { desk: Desk; account: AccountId; now(): number }) => Around,
) {
  const sandbox = await runSandbox()
  await control(sandbox, 'POST', '/clock', { held: true })
  const desk = await sitDown()
  const { id: account } = await connectWithToken(desk, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-spending-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  const tasks = clockTasks()
  let time = (await booksOf(sandbox)).now
  const now = (): number => time
  const report = (action: string, error: unknown): void => {
    throw new Error(action, { cause: error })
  }
  const { volumes = [], ...parts } = { ...noLedger, ...around({ desk, account, now }) }
  const history = createResourceHistory({ database: parts.store.database, now, report })
  const currencies = createCurrencies(settings, history.currencyOf)
  const spending = createSpending({
    accounts: desk.accounts,
    currencies,
    history,
    volumes: () => volumes,
    timeZone: () => 'UTC',
    now,
    after: tasks.after,
    online: () => true,
    report,
    ...parts,
  })
  onTestFinished(async () => {
    await spending.refresh(account)
    spending.close()
    await settings.flushed()
  })
  return {
    sandbox,
    account,
    accounts: desk.accounts,
    spending,
    history,
    currencies,
    tasks,
    now,
    books: () => booksOf(sandbox),
    /** Moves the clock of the sandbox and that of the application. */
    async pass(seconds: number): Promise<void> {
      await control(sandbox, 'POST', '/clock', { advance: seconds })
      time += seconds
    },
    async view(): Promise<SpendingView> {
      await spending.refresh(account)
      return spending.handlers['cost.spending']({ account })
    },
  }
}
