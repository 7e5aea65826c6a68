import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { firstAnswersId } from '#shared/bridge/channels'
import { withFirstAnswers } from './first-answers'

const page = '<head><title>Wheelhouse</title></head><body></body>'

function builtWindow(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'assets'))
  for (const name of ['ConnectPage-a1.js', 'ConnectPage-b2.css', 'ConnectForm-c3.js', 'index-d4.js'])
    writeFileSync(join(folder, 'assets', name), '')
  return folder
}
const answersIn = (html: string): unknown =>
  JSON.parse(new RegExp(`id="${firstAnswersId}">([^]*?)</script>`).exec(html)?.[1] ?? 'null')

it('embeds the answers whatever the settings contain', async () => {
  const answers = {
    withoutAccount: false,
    settings: { theme: 'dark', terminal: "</script><script>$&$'\u2028" },
    systemLocales: ['de-DE'],
    lastView: { lastList: { machines: [{ name: '</script><!--' }] } },
  }
  const html = await withFirstAnswers(page, builtWindow(), answers)
  expect(answersIn(html)).toEqual(answers)
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).not.toContain('<link')
})

it('preloads the files of the connect page of a built window if there is no account', async () => {
  const answers = { withoutAccount: true, settings: {}, systemLocales: [], lastView: null }
  const html = await withFirstAnswers(page, builtWindow(), answers)
  expect(html).toContain('<link rel="modulepreload" crossorigin href="./assets/ConnectPage-a1.js">')
  expect(html).toContain('<link rel="stylesheet" crossorigin href="./assets/ConnectPage-b2.css">')
  expect(html.match(/<link/g)).toHaveLength(2)
  expect(await withFirstAnswers(page, '/nowhere', answers)).not.toContain('<link')
})
