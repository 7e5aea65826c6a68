import { h } from 'vue'
import GitIdentityRows from '../../../src/renderer/features/connection/GitIdentityRows.vue'
import GitIdentityFields from '../../../src/renderer/pages/settings/GitIdentityFields.vue'
import { entry } from '../state'
import { connection } from '../ssh-views'
import { account } from '../world'

const none = { user: null, port: null, identityFile: null }
const ada = { gitName: 'Ada O’Hara 愛', gitEmail: 'ada@example.com' }
const rows = (changes: Parameters<typeof connection>[0]) => ({
  handlers: {},
  render: () =>
    h('dl', [h(GitIdentityRows, { account, connection: connection({ settings: none, ...changes }) })]),
})
const fields = (name: string, email: string, wrong: string | null) => ({
  handlers: {},
  render: () => h(GitIdentityFields, { name, email, nameError: null, emailError: wrong }),
})

export default [
  entry(GitIdentityRows, {
    none: rows({}),
    'of the account': rows(ada),
    'of the machine': rows({ ...ada, settings: { ...none, ...ada } }),
  }),
  entry(GitIdentityFields, {
    empty: fields('', '', null),
    'a wrong address': fields('Ada', 'ada', 'Use an email address, such as ada@example.com.'),
  }),
]
