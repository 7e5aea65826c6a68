import type { Destination } from '#shared/bridge/app'
import { systemLine } from './system-text'

/** `show`: opens the window with a page; null: with its current page. */
export type TrayAction =
  | { readonly kind: 'quit' }
  | { readonly kind: 'show'; readonly destination: Destination | null }
  | { readonly kind: 'stop-forward'; readonly forward: string }
  | { readonly kind: 'ssh'; readonly account: string; readonly machine: string }
  | { readonly kind: 'extend-end' | 'cancel-end'; readonly account: string; readonly rule: string }

export type TrayItem =
  | { readonly label: string; readonly action: TrayAction }
  | { readonly label: string; readonly heading: true }
  | { readonly label: string; readonly items: readonly TrayItem[] }
  | 'separator'

/** Escapes `&` in a label, which would make the next character an access key. Pure. */
export const menuLabel = (text: string): string => systemLine(text).replaceAll('&', '&&')

/** Characters of a name in a line. */
export const maxNameLength = 60

export const show = (destination: Destination | null): TrayAction => ({ kind: 'show', destination })
