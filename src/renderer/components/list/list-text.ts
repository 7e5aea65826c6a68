import type { Component } from 'vue'
import type { Failure } from '#shared/failure'
import type { en } from '#shared/messages/en/index'
import { failureText } from '#shared/messages/failure-text'
import { t, tPath } from '../../platform/i18n'

export interface ListText {
  readonly title: string
  readonly loading: string
  readonly signedOut: string
  /** Absent if the page has its own toolbar. */
  readonly filter?: { readonly label: string; readonly placeholder: string }
  readonly empty: { readonly icon: Component; readonly title: string; readonly text: string }
  readonly noMatch: { readonly title: string; readonly text: string; readonly action: string }
}

/** Returns the notice that the service's list of regions (catalog.regions) failed to load. */
export const missingRegionsText = (failure: Failure | null | undefined): string | null =>
  failure ? t('common.list.missingRegions', { reason: failureText(failure, tPath).title }) : null

type Messages = typeof en
interface ListMessages {
  readonly title: string
  readonly loading: string
  readonly signedOut: string
  readonly filter: Readonly<Record<'label' | 'placeholder', string>>
  readonly empty: Readonly<Record<'title' | 'text', string>>
  readonly noMatch: Readonly<Record<'title' | 'text' | 'action', string>>
}
/** Message areas that have all texts of a list. */
type ListArea = {
  [Area in keyof Messages]: Messages[Area] extends ListMessages ? Area : never
}[keyof Messages]

/** Returns the texts of one resource; `filter` is the typed text. */
export const listText = (resource: ListArea, icon: Component, filter: string): ListText => ({
  title: t(`${resource}.title`),
  loading: t(`${resource}.loading`),
  signedOut: t(`${resource}.signedOut`),
  filter: { label: t(`${resource}.filter.label`), placeholder: t(`${resource}.filter.placeholder`) },
  empty: { icon, title: t(`${resource}.empty.title`), text: t(`${resource}.empty.text`) },
  noMatch: {
    title: t(`${resource}.noMatch.title`),
    text: t(`${resource}.noMatch.text`, { filter: filter.trim() }),
    action: t(`${resource}.noMatch.action`),
  },
})
