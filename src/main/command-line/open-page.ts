import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'

/** Pages that `open` shows; `connect`, `settings` and `guide` need no account. */
export const pages = [
  'overview',
  'machines',
  'bare-metal',
  'billing',
  'settings',
  'guide',
  'connect',
] as const
type Page = (typeof pages)[number]
const isPage = (word: string): word is Page => pages.some((page) => page === word)

export async function open(context: Context, { words: [page, word] }: CommandInput): Promise<undefined> {
  const { call, text } = context
  if (page === undefined) await call('app.open', { destination: null })
  else if (!isPage(page))
    throw new CommandFailure('usage', text('errors.unknownPage', { page, pages: pages.join(', ') }))
  else if (page === 'settings' || page === 'guide' || page === 'connect')
    await call('app.open', { destination: { page } })
  else {
    const account = await context.account()
    const destination =
      page === 'machines' && word !== undefined
        ? { page, account: account.id, machine: (await context.machine(account, word)).machine.id }
        : { page, account: account.id }
    await call('app.open', { destination })
  }
  context.show('open', { page: page ?? '' }, () => [])
}
