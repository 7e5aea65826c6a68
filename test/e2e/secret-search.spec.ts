import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { secretsUnder } from './support/secrets'

// Every other test ends with this search over the application's folder and output; here it must find secrets.
test('the search for secrets finds them in every form', ({}, testInfo) => {
  const folder = testInfo.outputPath('user-data')
  mkdirSync(`${folder}/Local Storage`, { recursive: true })
  const secret = { what: 'password', value: 'correct horse, battery' }
  writeFileSync(`${folder}/plain`, `x${secret.value}x`)
  writeFileSync(`${folder}/Local Storage/wide`, Buffer.from(`x${secret.value}`, 'utf16le').subarray(2))
  writeFileSync(`${folder}/encoded`, Buffer.from(secret.value).toString('base64'))
  writeFileSync(`${folder}/token`, `Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.${'a'.repeat(43)}`)
  writeFileSync(`${folder}/nothing`, 'nothing to see')
  expect([...secretsUnder(folder, [secret])].sort()).toEqual([
    `${folder}/Local Storage/wide: password`,
    `${folder}/encoded: password`,
    `${folder}/plain: password`,
    `${folder}/token: a session token`,
  ])
})
