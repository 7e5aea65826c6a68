import { FailureError } from '#shared/failure'
import type { Service } from '../service/index'
import { readAll } from '../core/read-all-pages'

/** Things asked for at once. The specification names no maximum. */
const pageSize = 200

const gone = (field: string): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason: 'unknown' })

/**
 * Settles where the volume is still there: by the service's list of volumes, or by what is billed where it has none
 * (a volume is billed from its creation, service-extensions.md). Fails with invalid-input (volume) and as the client does.
 */
export async function verifyVolumeExists({ volumes, billing }: Service, id: string): Promise<void> {
  const listed = await readAll(volumes.list, pageSize).catch(() => undefined)
  const there = listed
    ? listed.items.some((volume) => volume.id === id)
    : (await readAll(billing.usage, pageSize)).items.some(
        ({ resource, status }) => resource.id === id && status !== 'terminated',
      )
  if (!there) throw gone('volume')
}

/** Settles where the token is still there. Fails with invalid-input (token) and as the client does. */
export async function verifyTokenExists({ apiTokens }: Service, id: string): Promise<void> {
  const { items } = await readAll((page) => apiTokens.list(page), pageSize)
  if (!items.some((token) => token.id === id)) throw gone('token')
}
