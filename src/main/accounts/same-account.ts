import { pageSizes } from '#shared/page-sizes'
import type { Page, PageQuery } from '#shared/service/page'
import { readAll } from '../core/read-all-pages'
import { createHttp, type Authorization } from '../service/http'
import { createService } from '../service/index'
import type { Transport } from '../service/transport'

/** Upper bound on the pages of usage to search, newest entries first: some thousand resources. */
const maxUsagePages = 20

/** Yields the pages of a list until one is not full. Fails as `list` does. */
async function* pagesOf<Item>(
  list: (page: PageQuery) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  const limit = pageSizes.resources
  for (let page = 0; page < maxUsagePages; page += 1) {
    const { items } = await list({
      limit,
      offset: page * limit,
      sortField: 'created_time',
      sortOrder: 'desc',
    })
    yield items
    if (items.length < limit) return
  }
}

/**
 * Whether a credential can read one of these resources: a machine, a volume or a usage record. False if the service does
 * not answer, since nothing is proved then.
 */
export async function showsAnyOf(
  transport: Transport,
  authorization: Authorization,
  resources: ReadonlySet<string>,
): Promise<boolean> {
  const service = createService(
    createHttp(transport, {
      current: () => Promise.resolve(authorization),
      renewed: () => Promise.resolve(authorization),
      limited: () => undefined,
    }),
  )
  const isKnown = ({ id }: { readonly id: string }): boolean => resources.has(id)
  const inList = async (
    list: (page: PageQuery) => Promise<Page<{ readonly id: string }>>,
  ): Promise<boolean> => (await readAll(list, pageSizes.resources)).items.some(isKnown)
  const inUsage = async (): Promise<boolean> => {
    for await (const items of pagesOf(service.billing.usage))
      if (items.some(({ resource }) => isKnown(resource))) return true
    return false
  }
  const checks = [() => inList(service.machines.list), inUsage, () => inList(service.volumes.list)]
  for (const check of checks) if (await check().catch(() => false)) return true
  return false
}
