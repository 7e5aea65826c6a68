import type { Component } from 'vue'

/** An item of a PopupMenu. */
export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: Component
  /** Reason why the item is disabled; absent: it is enabled. */
  readonly disabledReason?: string | undefined
  readonly danger?: boolean
  /** The item is a checkbox. */
  readonly checked?: boolean
  /** Text below the label. */
  readonly hint?: string | undefined
}

/** Methods of a PopupMenu: it opens at a point of the window, or below an element. */
export interface Popup {
  open(x: number, y: number): Promise<void>
  openAt(anchor: Element): Promise<void>
  openFrom(event: MouseEvent): void
}
