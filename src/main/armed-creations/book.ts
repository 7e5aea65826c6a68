import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { ArmedCreation, type ArmedState } from '#shared/bridge/creation'
import { createEmitter } from '#shared/emitter'
import type { Sections } from '../store/settings'

const ArmedDocument = z.object({ armed: z.array(ArmedCreation).default([]) })

type Armed = readonly ArmedCreation[]

/** Returns `now` without the changes between `before` and `after`; other changes stay. Pure. */
function undone(before: Armed, after: Armed, now: Armed): Armed {
  const others = now.filter((armed) => before.includes(armed) || !after.includes(armed))
  const isThere = ({ id }: ArmedCreation): boolean => others.some((armed) => armed.id === id)
  return [...others, ...before.filter((armed) => !after.includes(armed) && !isThere(armed))]
}

/** Stores armed creations as a private document, and reports their changes. A change that can't be stored is undone. */
export function openArmedBook(documents: Sections) {
  const section = documents.section('armed-creations', ArmedDocument)
  const changes = createEmitter<AccountId>()
  const all = (): Armed => section.read().armed
  const emit = (armed: Armed): void =>
    new Set(armed.map(({ account }) => account)).forEach((account) => changes.emit(account))

  async function change(update: (armed: Armed) => Armed): Promise<void> {
    const before = all()
    const written = section.change(({ armed }) => ({ armed: [...update(armed)] }))
    const after = all()
    emit([...before, ...after])
    try {
      await written
    } catch (error) {
      await section
        .change(({ armed }) => ({ armed: [...undone(before, after, armed)] }))
        .catch(() => undefined)
      emit([...before, ...after])
      throw error
    }
  }
  section.onLoad(() => emit(all()))

  return {
    all,
    change,
    ready: section.ready,
    onLoad: section.onLoad,
    onChange: changes.on,
    find: (id: string): ArmedCreation | undefined => all().find((armed) => armed.id === id),
    update: (id: string, changed: Partial<ArmedCreation>): Promise<void> =>
      change((each) => each.map((armed) => (armed.id === id ? { ...armed, ...changed } : armed))),
    setState: (id: string, state: ArmedState): Promise<void> =>
      change((each) => each.map((armed) => (armed.id === id ? { ...armed, state } : armed))),
    drop: (id: string): Promise<void> => change((each) => each.filter((armed) => armed.id !== id)),
  }
}
export type ArmedBook = ReturnType<typeof openArmedBook>
