import { expect, type Locator, type Page } from '@playwright/test'

/** A way to use the window: the same day runs by mouse, and again without. */
export interface Hand {
  /** Presses a button, link, tab or menu item; checks a radio button or a box. */
  press(target: Locator): Promise<void>
  /** Selects the entry of a drop-down by its text. */
  choose(select: Locator, label: string): Promise<void>
  write(field: Locator, text: string): Promise<void>
  /** Opens a row of a list. */
  open(grid: Locator, row: Locator): Promise<void>
}

export const byMouse: Hand = {
  press: (target) => target.click(),
  choose: async (select, label) => {
    await select.selectOption({ label })
  },
  write: (field, text) => field.fill(text),
  open: (_grid, row) => row.click(),
}

/**
 * By a mouse whose button bounces: a page that a press opens must ignore further presses, and a request is sent once.
 */
export const byTripleClick: Hand = {
  ...byMouse,
  // A menu is opened and closed by its button.
  press: async (target) =>
    target.click({ clickCount: (await target.getAttribute('aria-haspopup')) === null ? 3 : 1 }),
}

/** More than in any form. */
const mostPresses = 150

const kindOf = (target: Locator): Promise<string> =>
  target.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : (element.getAttribute('role') ?? element.localName),
  )
const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement)

/** Only Tab and Shift+Tab, arrows, Enter, Space and letters. */
export const byKeyboard = (window: Page): Hand => {
  const { keyboard } = window

  const repeat = async (key: string, until: () => Promise<boolean>): Promise<void> => {
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await until()) return
      await keyboard.press(key)
    }
    throw new Error(`${key} does not lead there`)
  }

  /**
   * Focuses an element by Tab, in the shorter direction; in a group of radio buttons or tabs, the group's Tab stop.
   */
  const reach = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible()
    const where = () =>
      target.evaluate((element) => {
        const now = document.activeElement
        const stopsFor = (one: Element | null): unknown => {
          if (one instanceof HTMLInputElement && one.type === 'radio') return one.name
          return ['tab', 'radio'].includes(one?.getAttribute('role') ?? '') ? one?.parentElement : one
        }
        if (now === null || stopsFor(now) === stopsFor(element)) return 'here'
        return element.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING ? 'behind' : 'ahead'
      })
    const key = (await where()) === 'behind' ? 'Shift+Tab' : 'Tab'
    await repeat(key, async () => (await where()) === 'here')
  }

  return {
    async press(target) {
      await expect(target).toBeEnabled()
      const kind = await kindOf(target)
      if (kind === 'menuitem') {
        await repeat('ArrowDown', () => isFocused(target))
        return keyboard.press('Enter')
      }
      await reach(target)
      if (kind === 'tab')
        return repeat('ArrowRight', async () => (await target.getAttribute('aria-selected')) === 'true')
      if (kind === 'radio') {
        await keyboard.press('Space')
        return repeat('ArrowDown', () => target.isChecked())
      }
      return keyboard.press(kind === 'checkbox' ? 'Space' : 'Enter')
    },

    async choose(select, label) {
      await expect(select).toBeEnabled()
      await reach(select)
      await keyboard.press('Home')
      const chosen = () =>
        select.evaluate((element) =>
          element instanceof HTMLSelectElement ? element.selectedOptions[0]?.label : undefined,
        )
      await repeat('ArrowDown', async () => (await chosen()) === label)
    },

    async write(field, text) {
      await reach(field)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },

    async open(grid, row) {
      await reach(grid)
      await keyboard.press('Home')
      const id = await row.getAttribute('id')
      await repeat('ArrowDown', async () => (await grid.getAttribute('aria-activedescendant')) === id)
      await keyboard.press('Enter')
    },
  }
}
