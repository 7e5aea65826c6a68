import type { Page } from '@playwright/test'

/** Number of occurrences of a text in the terminal on screen, by its own search. */
export async function occurrences(window: Page, text: string): Promise<string> {
  const search = window.getByRole('search')
  if (!(await search.isVisible())) await window.getByRole('button', { name: 'Search in terminal' }).click()
  await window.getByRole('textbox', { name: 'Search in terminal' }).fill(text)
  return search.getByRole('status').innerText()
}

export const endSearch = (window: Page): Promise<void> =>
  window.getByRole('button', { name: 'Close search' }).click()

export const typeLine = async (window: Page, line: string): Promise<void> => {
  await window.keyboard.type(line)
  await window.keyboard.press('Enter')
}
