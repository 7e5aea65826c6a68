import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstAnswersId } from '#shared/bridge/channels'
import type { KnownFirstAnswers } from '#shared/bridge/first-answers'

/** Returns elements that load the files of the connect page together with the first script. */
async function connectFiles(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'assets')).catch(() => [])
  const hrefs = names.filter((name) => name.startsWith('ConnectPage-')).map((name) => `./assets/${name}`)
  const links = hrefs.map((href) =>
    href.endsWith('.css')
      ? `<link rel="stylesheet" crossorigin href="${href}">`
      : `<link rel="modulepreload" crossorigin href="${href}">`,
  )
  return links.join('')
}

/**
 * Inserts the first answers into the window's page, as JSON that is not a script. The first paint then needs no module.
 * `folder`: folder of the built window.
 */
export async function withFirstAnswers(
  page: string,
  folder: string,
  answers: KnownFirstAnswers,
): Promise<string> {
  const json = JSON.stringify(answers).replaceAll('<', String.raw`\u003c`)
  const links = answers.withoutAccount ? await connectFiles(folder) : ''
  const script = `<script type="application/json" id="${firstAnswersId}">${json}</script>`
  return page.replace('</head>', () => `${links}${script}</head>`)
}
