import { expect, it } from 'vitest'
import { fileFailure, isFullDisk } from './file-failure'

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('takes %s for a full disk', (code) => {
  expect(isFullDisk(systemError(code))).toBe(true)
  expect(fileFailure(systemError(code)).failure).toEqual({ kind: 'disk-full' })
})

it('takes nothing else for a full disk', () => {
  expect(isFullDisk(systemError('EACCES'))).toBe(false)
  expect(fileFailure(systemError('EACCES')).failure).toMatchObject({ kind: 'local-fault', reason: 'EACCES' })
})
