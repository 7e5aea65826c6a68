import { keptDrafts } from '../../components/unsaved'
import type { LimitsDraft, MoneyDraft } from './limits-draft'
import type { SshDefaultsDraft } from './ssh-defaults-draft'

/** Typed idle settings: percent and minutes. */
export interface IdleDraft {
  readonly threshold: string
  readonly minutes: string
}

/* Typed settings that are not saved yet. A valid field is saved when it loses the focus. */

export const useFontDraft = keptDrafts<string>()
export const useCommandDraft = keptDrafts<string>()
export const useCapDraft = keptDrafts<{ readonly cap?: MoneyDraft; readonly askAbove?: MoneyDraft }>()
export const useIdleDraft = keptDrafts<Partial<IdleDraft>>()
export const useLimitsDraft = keptDrafts<Partial<LimitsDraft>>()
export const useMailDraft = keptDrafts<string>()
export const useProxyDraft = keptDrafts<{ readonly kind: string; readonly address: string }>()
export const useSshDefaultsDraft = keptDrafts<Partial<SshDefaultsDraft>>()
