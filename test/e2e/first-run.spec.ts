import { expect, test } from './fixtures'
import { readableXterms } from './support/screen'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'

test.use({ needs: ['ssh', 'xterm'] })

test('from the first start to the prompt of a machine, with no account and no set-up', async ({
  start,
  place,
}) => {
  const xterms = readableXterms(place.home)
  const { electron, window } = await start(xterms.env)

  await expect(window.getByRole('heading', { name: 'Welcome to Wheelhouse' })).toBeVisible()
  await pictureInBothThemes(electron, window, 'First run')

  await window.getByRole('button', { name: 'Look around first' }).click()
  const grid = window.getByRole('grid')
  await expect(grid.getByRole('row').nth(5)).toBeVisible()
  await pictureInBothThemes(electron, window, 'Machines')
  await pictureOfScreen('Screen')
})
