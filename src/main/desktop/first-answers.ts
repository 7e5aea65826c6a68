import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstAnswersId } from '#shared/bridge/channels'
import type { KnownFirstAnswers } from '#shared/bridge/first-answers'

/** The files of the page to connect from, as elements that load them with the first script, not after it. */
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
 * The window's page with its first answers, as JSON that is no script, so that its first paint need not wait for the
 * modules. `folder`: where the built window lies. The window takes the answers of its calls once they come.
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
