import { keptDrafts } from '../../components/unsaved'
import type { LimitsDraft } from './limits-draft'
import type { SshDefaultsDraft } from './ssh-defaults-draft'

/** When machines count as idle, as typed. */
export interface IdleDraft {
  readonly threshold: string
  readonly minutes: string
}

/* What is typed into the settings and not saved yet. A valid field is saved when it loses the focus. */

/** The font of terminals. */
export const useFontDraft = keptDrafts<string>()
/** The command that opens a terminal. */
export const useCommandDraft = keptDrafts<string>()
/** When machines count as idle: percent, and minutes. */
export const useIdleDraft = keptDrafts<Partial<IdleDraft>>()
/** The limits, by account. */
export const useLimitsDraft = keptDrafts<Partial<LimitsDraft>>()
/** The proxy and its address. */
export const useProxyDraft = keptDrafts<{ readonly kind: string; readonly address: string }>()
/** The SSH defaults, by account. */
export const useSshDefaultsDraft = keptDrafts<Partial<SshDefaultsDraft>>()
