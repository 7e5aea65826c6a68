import { expect, it } from 'vitest'
import { fileFailure, isFullDisk } from './failure-of'

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s means a full disk', (code) => {
  expect(isFullDisk(systemError(code))).toBe(true)
  expect(fileFailure(systemError(code)).failure).toEqual({ kind: 'disk-full' })
})

it('EACCES does not mean a full disk', () => {
  expect(isFullDisk(systemError('EACCES'))).toBe(false)
  expect(fileFailure(systemError('EACCES')).failure).toMatchObject({ kind: 'local-fault', reason: 'EACCES' })
})
