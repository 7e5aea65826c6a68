import type { Component } from 'vue'

/** One line of a PopupMenu. */
export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: Component
  /** Why it cannot be chosen; absent: it can. */
  readonly disabledReason?: string | undefined
  readonly danger?: boolean
}

/** How a page opens its PopupMenu: at a point of the window, or below an element. */
export interface Popup {
  open(x: number, y: number): Promise<void>
  openAt(anchor: Element): Promise<void>
}
