import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { EndRule, type EndState } from '#shared/bridge/end-rule'
import { createEmitter } from '#shared/emitter'
import type { Sections } from '../store/settings'

const EndRuleDocument = z.object({ rules: z.array(EndRule).default([]) })

/** Keeps the rules of all accounts as a private document, and reports their changes. */
export function openRules(documents: Sections) {
  const section = documents.section('end-rules', EndRuleDocument)
  const changes = createEmitter<AccountId>()
  const all = (): readonly EndRule[] => section.read().rules
  async function change(update: (rules: readonly EndRule[]) => readonly EndRule[]): Promise<void> {
    const before = all()
    const written = section.change(({ rules }) => ({ rules: [...update(rules)] }))
    for (const account of new Set([...before, ...all()].map((rule) => rule.account))) changes.emit(account)
    await written
  }
  section.onLoad(() => {
    for (const account of new Set(all().map((rule) => rule.account))) changes.emit(account)
  })
  return {
    all,
    change,
    ready: section.ready,
    find: (id: string): EndRule | undefined => all().find((rule) => rule.id === id),
    setState: (id: string, state: EndState): Promise<void> =>
      change((rules) => rules.map((rule) => (rule.id === id ? { ...rule, state } : rule))),
    drop: (id: string): Promise<void> => change((rules) => rules.filter((rule) => rule.id !== id)),
    onChange: changes.on,
  }
}
export type OpenRules = ReturnType<typeof openRules>
