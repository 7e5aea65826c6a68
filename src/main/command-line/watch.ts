import { FailureError } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { oneLine } from '../core/one-line'
import { flavorsNamed, regionName } from './catalog'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'

/** Pause between two readings of the catalog, which the application keeps for a minute. */
const pauseSeconds = 60

/** Waits until the catalog reports that a flavor is in stock. Creates nothing. */
export async function watch(
  context: Context,
  { words: [word = ''], value }: CommandInput,
): Promise<undefined> {
  const { text, terminal } = context
  const account = await context.account()
  const region = value('region')
  let flavors = await flavorsNamed(context, account, word, region)
  const available = () => flavors.filter(({ inStock }) => inStock === true)
  for (let isFirst = true; available().length === 0; isFirst = false) {
    if (flavors.every(({ inStock }) => inStock === null))
      throw new CommandFailure('failed', text('errors.stockUnknown', { name: oneLine(word) }))
    if (isFirst) terminal.report(text('progress.watching', { name: oneLine(word) }))
    await terminal.wait(pauseSeconds)
    try {
      flavors = await flavorsNamed(context, account, word, region)
    } catch (error) {
      // The wait goes on through a lost connection.
      if (!(error instanceof FailureError)) throw error
      terminal.report(oneLine(failureText(error.failure, translate).title))
    }
  }
  const regions = available().map((flavor) => regionName(flavor.region))
  context.show('watch', { flavor: word, regions }, () => [
    text('inStock', { name: word, regions: regions.join(translate('common.listSeparator')) }),
  ])
}
