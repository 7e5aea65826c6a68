import { expect, it } from 'vitest'
import { createWindowNotices } from './window-notices'

it('shows waiting notices with a destination once the page is loaded, and drops the rest', () => {
  let isLoaded = false
  const shown: string[] = []
  const notices = createWindowNotices(
    () => isLoaded,
    ({ title }) => shown.push(title),
  )
  const notice = (title: string) => ({ title, body: '', act: () => undefined })
  const destination = { page: 'settings' as const }
  // Notices of the start arrive while the page of a new window loads.
  notices.show({ ...notice('reminder'), destination })
  notices.show(notice('goes on in the tray'))
  expect(shown).toEqual([])
  isLoaded = true
  notices.loaded()
  notices.show(notice('secret kept'))
  notices.loaded()
  expect(shown).toEqual(['reminder', 'secret kept'])
})

it('keeps the newest notices for a window that stays closed', () => {
  const shown: string[] = []
  const notices = createWindowNotices(
    () => false,
    ({ title }) => shown.push(title),
  )
  for (let n = 1; n <= 30; n += 1)
    notices.show({ title: String(n), body: '', destination: { page: 'settings' }, act: () => undefined })
  notices.loaded()
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([20, '11', '30'])
})
