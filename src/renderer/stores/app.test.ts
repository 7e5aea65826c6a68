// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import { Settings } from '#shared/bridge/app'
import { createFakeMain, useFakeMain } from '../../../test/gallery/fake-main'
import { world } from '../../../test/gallery/world'
import { useApp } from './app'

it('a keychain that becomes unavailable during start stays unavailable', async () => {
  let answer = (_: Settings): void => undefined
  const settings = new Promise<Settings>((resolve) => {
    answer = resolve
  })
  const main = createFakeMain({ ...world, 'settings.read': () => settings })
  useFakeMain(main)
  setActivePinia(createPinia())
  const app = useApp()
  const started = app.start()
  // Only the settings are still pending.
  await expect(main.settled()).rejects.toThrow('1 calls')
  main.emit('app.changed', { ...world['app.info'](), keychain: 'unavailable', keychainReason: 'none' })
  answer(Settings.parse({}))
  await started
  expect(app.info?.keychain).toBe('unavailable')
})
