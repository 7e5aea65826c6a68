import { h } from 'vue'
import ForwardAgentRow from '../../../src/renderer/features/connection/ForwardAgentRow.vue'
import { entry } from '../state'
import { connection } from '../ssh-views'
import { account } from '../world'

const row = (forwardAgent: boolean, own: boolean | null) => ({
  handlers: {},
  render: () =>
    h('dl', [
      h(ForwardAgentRow, {
        account,
        connection: connection({
          forwardAgent,
          settings: { user: null, port: null, identityFile: null, forwardAgent: own },
        }),
      }),
    ]),
})

export default [
  entry(ForwardAgentRow, {
    off: row(false, null),
    on: row(true, true),
    'on for the account': row(true, null),
  }),
]
