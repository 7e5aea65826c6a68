import type { FlavorWatch } from '#shared/bridge/catalog'
import type { TranslatePath } from '#shared/messages/failure-text'

export const restockedText = (
  { name, region }: Pick<FlavorWatch, 'name' | 'region'>,
  account: string,
  translate: TranslatePath,
): { readonly title: string; readonly body: string } => ({
  title: translate('catalog.notice.title', { flavor: name }),
  body: translate('catalog.notice.text', {
    region: region.name ?? region.id ?? translate('catalog.someRegion'),
    account,
  }),
})
