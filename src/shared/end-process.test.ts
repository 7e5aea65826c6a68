import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type EndRequest, endProcessScript, readEndProcess } from './end-process'

const request: EndRequest = { pid: 525, start: '89123', user: 'anna', signal: 'TERM' }

it('the script carries its request', () => {
  expect(readEndProcess(endProcessScript(request))).toEqual(request)
  expect(readEndProcess('echo end_process')).toBeNull()
})

it('the documentation prints the script', () => {
  const printed = endProcessScript(request).replace(/end_process 525.*$/, 'end_process PID START USER TERM')
  const docs = new URL('../../docs/gpu-telemetry.md', import.meta.url)
  expect(readFileSync(docs, 'utf8')).toContain(printed)
})
