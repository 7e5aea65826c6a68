// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { Failure } from '#shared/failure'
import { emissions, mounted } from '../../../test/gallery/mounted'
import { t } from '../platform/i18n'
import FailureNotice from './FailureNotice.vue'

it.each<[string, Failure, readonly string[]]>([
  [
    'an unavailable keychain asks the keychain first',
    { kind: 'keychain-unavailable', reason: 'locked' },
    ['store.retry'],
  ],
  ['another failure only reads again', { kind: 'offline' }, []],
])('the retry of %s', async (_, failure, asked) => {
  const { seen, on } = emissions('retry')
  const window = await mounted(() => h(FailureNotice, { failure, retryable: true, ...on }), {
    'store.retry': () => {
      expect(seen).toEqual([])
      return { kind: 'open', quarantined: null }
    },
  })
  onTestFinished(() => window.unmount())
  await window.click(t('common.actions.retry'))
  expect(window.main.calls.map(([name]) => name).filter((name) => name === 'store.retry')).toEqual(asked)
  expect(seen).toEqual([['retry']])
})
