// @vitest-environment happy-dom
import type { ApiTokenView } from '#shared/bridge/api-token'
import { volumeNamed } from '../../src/renderer/features/volumes/volume.fixture'
import { entries } from './entries'
import { draw } from './state'
import { describeLanguage, statesOf, type Subject } from './words-left'
import { account, accountView, now } from './world'

// Loaded on demand: the bridge of the window has to exist first.
const pages = import.meta.glob<{ readonly default: object }>([
  '../../src/renderer/pages/*/*Page.vue',
  '../../src/renderer/pages/*/{Token,Volume}Panel.vue',
])
const token: ApiTokenView = {
  id: 't-1',
  name: 'ci',
  description: null,
  createdAt: now,
  lastUsed: 0,
  hasValue: true,
  inUse: false,
}
const propertiesOf: Readonly<Record<string, object>> = {
  'pages/create/CreatePage.vue': { kind: 'machine' },
  'pages/api-tokens/TokenPanel.vue': { account: accountView(), token },
  'pages/volumes/VolumePanel.vue': { account, volume: volumeNamed('data'), deletion: 'offered' },
}
const subjects: readonly Subject[] = Object.entries(pages).map(([file, load]) => {
  const name = file.replace('../../src/renderer/', '')
  const cases: Subject[1] = async () => {
    const { default: page } = await load()
    return { page: () => draw(page, propertiesOf[name] ?? {}) }
  }
  return [name, cases]
})
// Components and features: features-language.test.ts.
const others = entries.filter(({ name }) => !/^(components|features)\//.test(name)).map(statesOf)
describeLanguage([...subjects, ...others])
