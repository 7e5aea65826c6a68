import { expect, test } from './fixtures'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openPage } from './support/window'

test('the user sets the currency of amounts if the service reports none @deep', async ({ start }) => {
  const { electron, window } = await start()
  await lookAround(window)
  await machineNames(window)
  const spending = window
    .getByRole('banner')
    .getByText(/ (USD|EUR)/)
    .first()
  await expect(spending).toContainText('USD')

  await openPage(window, 'Settings')
  const currency = window.getByRole('combobox', { name: /^Currency of/ })
  await expect(currency).toHaveValue('')
  await currency.selectOption('EUR')
  await expect(spending).toContainText('EUR')
  await currency.scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Settings, currency')

  await window.getByRole('link', { name: 'Billing' }).click()
  await expect(window.getByText('showing EUR, as you set')).toBeVisible()
})
