import type { filesCalls } from '#shared/bridge/files'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import { deleteTrees } from './delete-tree'
import { checkNames, remotePath } from './transfer-job'
import type { Sftp } from './sftp/client'

export type OnMachine = <Value>(
  input: CallInput<'files.retry'>,
  action: 'list' | 'makeFolder' | 'rename' | 'delete',
  act: (sftp: Sftp) => Promise<Value>,
) => Promise<Value>

export const browseCalls = (onMachine: OnMachine) =>
  ({
    'files.list': (input) =>
      onMachine(input, 'list', async (sftp) => {
        const path = await sftp.realPath(input.path ?? '.')
        const { entries, isCut } = await sftp.list(path)
        return { path, entries: entries.map(({ mode: _, ...entry }) => entry), isCut }
      }),
    'files.makeFolder': async (input) => {
      checkNames([input.name])
      await onMachine(input, 'makeFolder', (sftp) => sftp.makeFolder(remotePath(input.folder, input.name)))
      return null
    },
    'files.rename': async ({ folder, name, to, ...input }) => {
      checkNames([name, to])
      await onMachine(input, 'rename', (sftp) =>
        sftp.rename(remotePath(folder, name), remotePath(folder, to)),
      )
      return null
    },
    'files.delete': async ({ folder, names, ...input }) => {
      checkNames(names)
      const paths = names.map((name) => remotePath(folder, name))
      await onMachine(input, 'delete', (sftp) => deleteTrees(sftp, paths))
      return null
    },
  }) satisfies Partial<HandlersOf<typeof filesCalls>>
