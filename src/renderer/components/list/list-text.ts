import type { Component } from 'vue'
import type { Failure } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { t, tPath } from '../../platform/i18n'

/** What the page of a list says in place of the rows, and at its filter. */
export interface ListText {
  readonly title: string
  readonly loading: string
  readonly signedOut: string
  /** Absent where the page has a toolbar of its own. */
  readonly filter?: { readonly label: string; readonly placeholder: string }
  readonly empty: { readonly icon: Component; readonly title: string; readonly text: string }
  readonly noMatch: { readonly title: string; readonly text: string; readonly action: string }
}

/** Where the service's own list of regions could not be read (catalog.regions). */
export const missingRegionsText = (failure: Failure | null | undefined): string | null =>
  failure ? t('common.list.missingRegions', { reason: failureText(failure, tPath).title }) : null

/** The messages of one resource. `filter` is what is typed. */
export const listText = (
  resource: 'machines' | 'volumes' | 'bareMetal' | 'apiTokens',
  icon: Component,
  filter: string,
): ListText => ({
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
