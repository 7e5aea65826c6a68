import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

/** Editors that can work on a machine over SSH. */
export const EditorId = z.enum(['vscode', 'cursor', 'windsurf', 'zed', 'gateway'])
export type EditorId = z.infer<typeof EditorId>

export const EditorView = z.object({ id: EditorId, name: z.string() })
export type EditorView = z.infer<typeof EditorView>

export const editorCalls = {
  /** Editors that are installed on this computer. */
  'editors.list': call(z.object({}), z.array(EditorView)),
  /** `folder` null: the home folder. Fails with invalid-input (machine: no alias; folder) and local-fault. */
  'editors.open': call(
    z.object({
      account: AccountId,
      machine: z.string().min(1),
      editor: EditorId,
      folder: z.string().nullable(),
    }),
    z.void(),
  ),
} as const
