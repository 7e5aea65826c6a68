import { h } from 'vue'
import type { NetworkAccessView } from '#shared/bridge/network-access'
import ProxySignInDialog from '../../../src/renderer/features/network/ProxySignInDialog.vue'
import NetworkSection from '../../../src/renderer/pages/settings/NetworkSection.vue'
import { useNetworkAccess } from '../../../src/renderer/stores/network-access'
import { entry, submit } from '../state'
import { texts } from '../texts'
import { networkAccessView } from '../world'

const section = (changes: Partial<NetworkAccessView>) => ({
  render: () => {
    useNetworkAccess().view = networkAccessView(changes)
    return h(NetworkSection)
  },
  handlers: { 'networkAccess.read': () => networkAccessView(changes) },
})
const proxy = 'proxy.example.com:8080'
const dialog = (changes: object) => () =>
  h(ProxySignInDialog, { question: { proxy, realm: 'Acme Labs', refused: false, ...changes } })

export default [
  entry(NetworkSection, {
    usual: section({}),
    malformed: section({ malformedVariable: 'HTTPS_PROXY' }),
    environment: section({ environment: proxy, signIns: [{ proxy, username: 'anna' }] }),
    manual: section({
      proxy: { kind: 'manual', address: proxy },
      authorities: { file: 'acme-root.pem', names: ['Acme Labs Root CA', 'Acme Labs Issuing CA 2'] },
      signIns: [{ proxy, username: null }],
    }),
    pac: section({
      proxy: { kind: 'pac', address: 'https://wpad.example.com/proxy.pac' },
      authorities: { file: texts.long, names: [texts.html, texts.rtl] },
    }),
  }),
  entry(ProxySignInDialog, {
    asked: dialog({}),
    refused: dialog({ refused: true, realm: '' }),
    'nothing typed': { render: dialog({}), act: submit },
    hostile: dialog({ realm: texts.control, proxy: texts.long }),
  }),
]
