import { expect, it } from 'vitest'
import type { Transfer, TransferState } from '#shared/bridge/files'
import { accountNamed, mainProcess } from './stores.fixture'

const transfer = (state: TransferState): Transfer => ({
  id: 't',
  account: accountNamed('abcdefghijkl').id,
  machine: 'm',
  machineName: 'train',
  direction: 'upload',
  name: 'a',
  others: 1,
  files: { done: 0, total: 2 },
  bytes: { done: 0, total: 2 },
  state,
})

it('a pushed question stays when the reply to an earlier answer arrives after it', async () => {
  const file = { size: 1, modifiedAt: 1 }
  const asks = (name: string) =>
    transfer({ kind: 'asking', name, there: 'file', more: 0, existing: file, copied: file })
  const answers: unknown[] = []
  const main = mainProcess({
    'files.transfers': () => [asks('a')],
    'files.answer': (input) => {
      answers.push(input)
      main.push('files.transfersChanged', [asks('b')])
      return [transfer({ kind: 'counting' })]
    },
  })
  const { useFiles } = await import('./files')
  const files = useFiles()
  files.start()
  await expect.poll(() => files.asking?.name).toBe('a')
  await files.answer({ id: 't', name: 'a' }, 'skip', false)
  expect(answers).toEqual([{ transfer: 't', name: 'a', choice: 'skip', forAll: false }])
  expect(files.asking?.name).toBe('b')
})
