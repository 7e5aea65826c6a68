import type { AccountId } from '#shared/bridge/account'
import type { editorCalls } from '#shared/bridge/editor'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { defineModule } from '../../core/module'
import { terminalEnvironment } from '../launcher/environment'
import { findProgram } from '../launcher/find-program'
import { openWindow } from '../launcher/open-window'
import { checkedAlias, checkedFolder, knownEditors } from './editors'

export interface EditorsDeps {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** Returns the machine's SSH alias; null: none. */
  aliasOf(account: AccountId, machine: string): Promise<string | null>
  /** Time in milliseconds for which a new editor is watched; 3,000 if absent. */
  readonly watchFor?: number
}

/** Editors of this computer that work on machines over SSH, by their aliases. */
export function createEditors({ home, platform, env, aliasOf, watchFor = 3_000 }: EditorsDeps) {
  const known = knownEditors(platform, env, home)
  const cleaned = terminalEnvironment(env)
  async function installed() {
    const lookups = known.map(async (editor) => ({
      editor,
      program: await findProgram(editor.places, platform, cleaned),
    }))
    return (await Promise.all(lookups)).flatMap(({ editor, program }) =>
      program === null ? [] : [{ editor, program }],
    )
  }

  const handlers: HandlersOf<typeof editorCalls> = {
    'editors.list': async () => (await installed()).map(({ editor: { id, name } }) => ({ id, name })),
    'editors.open': async ({ account, machine, editor: id, folder }) => {
      const path = checkedFolder(folder)
      const alias = checkedAlias(await aliasOf(account, machine))
      const match = (await installed()).find(({ editor }) => editor.id === id)
      if (!match) throw new FailureError({ kind: 'invalid-input', field: 'editor', reason: 'unknown' })
      const launch = match.editor.launch(match.program, alias, path)
      const opened = await openWindow(launch, null, { env: cleaned, folder: home, watchFor })
      if (opened.kind !== 'failed') return
      const { reason } = opened
      throw new FailureError({ kind: 'local-fault', action: match.editor.name, reason })
    },
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
