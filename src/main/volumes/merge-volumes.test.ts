import { describe, expect, it } from 'vitest'
import type { Attachment } from '#shared/bridge/volume'
import { Usage } from '#shared/service/billing'
import { Volume } from '#shared/service/volume'
import { RememberedVolume } from './remembered-volumes'
import { unitePieces, uniteListed } from './merge-volumes'

const now = 10_000
const startedAt = (started: number) => ({
  started,
  sinceListed: Infinity,
  secondsBefore: (_: string, __: string, at: number) => started - at,
  isGone: () => true,
  attachmentBefore: () => undefined,
})
const whole = startedAt(now)
const noRegion = (region: string) => ({ id: null, name: region })
const volume = (id: string, fields: object = {}): Volume =>
  Volume.parse({ id, status: 'available', ...fields })
const remembered = (fields: object): RememberedVolume => RememberedVolume.parse(fields)
const charge = (id: string, fields: object = {}): Usage =>
  Usage.parse({
    id: `usage-${id}`,
    resource: { id, name: `vol-${id}`, display_name: `name-${id}`, type: 'volume' },
    created_time: 500,
    status: 'active',
    ...fields,
  })

it('a volume exists while it is charged for, whatever its status, even if its end is not a time', () => {
  const odd = [-1, 0, 499].map((end, at) => charge(`v${at}`, { status: 'billing', terminated_time: end }))
  const ended = charge('ended', { status: 'billing', terminated_time: 600 })
  expect([...unitePieces([...odd, ended], {}, whole).views.keys()]).toEqual(['v0', 'v1', 'v2'])
})

describe('volumes that the service lists', () => {
  it('keep the machine of an attachment made here, which the service does not report', () => {
    const known = { a: remembered({ attachment: { machine: 'm1', at: now - 100 } }) }
    const listed = [volume('a', { status: 'in-use' }), volume('b', { status: 'in-use' })]
    const { views } = uniteListed(listed, known, noRegion, whole)
    expect(views.get('a')?.attachment).toEqual({ kind: 'attached', machine: 'm1' })
    expect(views.get('b')?.attachment).toEqual({ kind: 'attached', machine: null })
  })

  it('have an unknown machine once they were not seen for longer than two readings', () => {
    const known = { a: remembered({ attachment: { machine: 'm1', at: now - 5_000 } }) }
    const listed = [volume('a', { status: 'in-use' })]
    const seen = uniteListed(listed, known, noRegion, { ...whole, sinceListed: 600 })
    expect(seen.views.get('a')?.attachment).toEqual({ kind: 'attached', machine: 'm1' })
    const unseen = uniteListed(listed, known, noRegion, { ...whole, sinceListed: 601 })
    const lost = { kind: 'attached', machine: null, lastMachine: 'm1' }
    expect(unseen.views.get('a')?.attachment).toEqual(lost)
    // The machine stays lost when the volume is observed again, until it is detached.
    const later = uniteListed(listed, unseen.remembered, noRegion, { ...whole, sinceListed: 1 })
    expect(later.views.get('a')?.attachment).toEqual(lost)
    expect(uniteListed([volume('a')], later.remembered, noRegion, whole).remembered.a?.attachment).toBeNull()
  })

  it('are attached outside if they were seen detached before and not attached here', () => {
    const read = (before: Attachment | undefined, known = {}) =>
      uniteListed([volume('a', { status: 'in-use' })], known, noRegion, {
        ...whole,
        attachmentBefore: () => before,
      }).views.get('a')?.attachment
    const outside = { kind: 'attached', machine: null, outside: true } as const
    expect(read({ kind: 'detached' })).toEqual(outside)
    expect(read(outside)).toEqual(outside)
    expect(read(undefined)).toEqual({ kind: 'attached', machine: null })
    expect(read({ kind: 'attached', machine: null })).toEqual({ kind: 'attached', machine: null })
    // A detachment requested here may not have happened.
    const detachedHere = { a: remembered({ attachment: { machine: null, at: now - 5 } }) }
    expect(read({ kind: 'detached' }, detachedHere)).toEqual({ kind: 'attached', machine: null })
  })

  it('have no machine once the service lists them as available', () => {
    const known = { a: remembered({ attachment: { machine: 'm1', at: now - 100 } }) }
    const united = uniteListed([volume('a')], known, noRegion, whole)
    expect(united.views.get('a')?.attachment).toEqual({ kind: 'detached' })
    expect(united.remembered.a?.attachment).toBeNull()
  })

  it('keep the machine of an attachment made while the list was being read', () => {
    const known = { a: remembered({ attachment: { machine: 'm1', at: now + 1 } }) }
    const united = uniteListed([volume('a')], known, noRegion, whole)
    expect(united.remembered.a?.attachment?.machine).toBe('m1')
  })

  it('have an unknown attachment if their status is new', () => {
    const { views } = uniteListed([volume('a', { status: 'frozen' })], {}, noRegion, whole)
    expect(views.get('a')).toMatchObject({ status: 'frozen', attachment: { kind: 'unknown' } })
  })

  it('include a volume just created that is not listed yet, but no volume that is no longer listed', () => {
    const known = {
      fresh: remembered({ createdAt: now - 5, reported: { status: 'creating', at: now - 5 } }),
      old: remembered({ createdAt: now - 5_000 }),
    }
    const united = uniteListed([], known, noRegion, whole)
    expect([...united.views.keys()]).toEqual(['fresh'])
    expect(Object.keys(united.remembered)).toEqual(['fresh'])
  })

  it('include all remembered volumes while the list is incomplete', () => {
    const known = { old: remembered({ createdAt: now - 5_000 }) }
    expect(uniteListed([], known, noRegion, { ...whole, isGone: () => false }).views.has('old')).toBe(true)
  })
})

describe('volumes of a service that does not list them', () => {
  it('are those charged for and those known here; unreported facts are unknown', () => {
    const known = { mine: remembered({ displayName: 'mine', size: 50, bootable: false }) }
    const usage = [
      charge('theirs'),
      charge('gone', { status: 'terminated' }),
      charge('machine', { resource: { id: 'machine', type: 'vm' } }),
    ]
    const { views } = unitePieces(usage, known, whole)
    expect([...views.keys()].sort()).toEqual(['mine', 'theirs'])
    expect(views.get('theirs')).toEqual({
      id: 'theirs',
      displayName: 'name-theirs',
      name: 'vol-theirs',
      size: null,
      status: null,
      region: { id: null, name: null },
      bootable: null,
      attachment: { kind: 'unknown' },
      description: null,
      currency: null,
      createdAt: 500,
      settling: false,
      more: [],
    })
  })

  it('keep known facts besides the reported usage', () => {
    const known = { a: remembered({ size: 50, attachment: { machine: 'm1', at: now - 5 } }) }
    expect(unitePieces([charge('a')], known, whole).views.get('a')).toMatchObject({
      displayName: 'name-a',
      size: 50,
      attachment: { kind: 'attached', machine: 'm1' },
    })
  })

  it('keep the attachment that an answer reported for a minute, then it is unknown', () => {
    const known = {
      a: remembered({ attachment: { machine: 'm1', at: now - 59 } }),
      d: remembered({ attachment: { machine: null, at: now - 59 } }),
    }
    const usage = [charge('a'), charge('d')]
    const attachments = (at: number) =>
      [...unitePieces(usage, known, startedAt(at)).views.values()].map(({ attachment }) => attachment)
    expect(attachments(now)).toEqual([{ kind: 'attached', machine: 'm1' }, { kind: 'detached' }])
    expect(attachments(now + 1)).toEqual([{ kind: 'unknown', lastMachine: 'm1' }, { kind: 'unknown' }])
  })

  it('are charged for in every status except the final one', () => {
    const usage = [
      charge('loud', { status: 'ACTIVE' }),
      charge('odd', { status: 'suspended' }),
      charge('silent', { status: null, terminated_time: 0 }),
      charge('over', { status: 'Terminated' }),
      charge('ended', { status: 'closed', terminated_time: now - 1 }),
      charge('typed', { resource: { id: 'typed', type: 'Volume' } }),
    ]
    const { views } = unitePieces(usage, {}, whole)
    expect([...views.keys()].sort()).toEqual(['loud', 'odd', 'silent', 'typed'])
  })

  it('disappear once they were charged for and are no longer', () => {
    const first = unitePieces([charge('a')], { a: remembered({ size: 50 }) }, whole)
    expect(first.remembered.a?.billed).toBe(true)
    const second = unitePieces([], first.remembered, whole)
    expect(second.views.size).toBe(0)
    expect(second.remembered).toEqual({})
  })

  it('stay while usage is incomplete', () => {
    const known = { a: remembered({ billed: true }) }
    expect(unitePieces([], known, { ...whole, isGone: () => false }).views.has('a')).toBe(true)
  })

  it('keep the status that an answer reported for a minute', () => {
    const known = { a: remembered({ reported: { status: 'creating', at: now - 59 } }) }
    expect(unitePieces([], known, whole).views.get('a')?.status).toBe('creating')
    expect(unitePieces([], known, startedAt(now + 1)).views.get('a')?.status).toBeNull()
  })
})
