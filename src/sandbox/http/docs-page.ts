import { html } from 'hono/html'
import type { z } from 'zod'
import { describeFields, type FieldDescription } from './describe-fields'
import { hasContent, type Endpoint } from './endpoint'
import { pathParameters } from './openapi'

type Html = ReturnType<typeof html>

const style = `
  :root { color-scheme: light dark; --line: #8884; --muted: #8b8f98; --accent: #22b8a0 }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 980px; padding: 32px 24px 96px }
  h1 { font-size: 28px; margin: 0 } h2 { font-size: 20px; margin: 48px 0 8px }
  details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; padding: 0 16px }
  summary { cursor: pointer; padding: 10px 0; display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap }
  summary span { color: var(--muted); margin-left: auto }
  code, th { font: 13px/1.5 ui-monospace, monospace } b { color: var(--accent); min-width: 60px }
  h3 { font-size: 13px; margin: 16px 0 4px; color: var(--muted) }
  table { border-collapse: collapse; width: 100%; margin-bottom: 16px; table-layout: fixed }
  th { width: 30% } td { width: 14% } td:last-child { width: 42% }
  th, td { text-align: left; padding: 4px 12px 4px 0; border-top: 1px solid var(--line); vertical-align: top }
  th { font-weight: 600; overflow-wrap: anywhere } nav a { margin-right: 12px; color: inherit }
`

const anchor = (tag: string): string => tag.toLowerCase().replace(/\W+/g, '-')

const fieldTable = (title: string, fields: readonly FieldDescription[]): Html | '' =>
  fields.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <table>
          ${fields.map(
            (field) =>
              html`<tr>
                <th>${field.name}</th>
                <td>${field.type}</td>
                <td>${field.required ? 'required' : ''}</td>
                <td>${field.rules}</td>
              </tr>`,
          )}
        </table>`

const pathFields = (path: string): FieldDescription[] =>
  pathParameters(path).map((name) => ({ name, type: 'string', required: true, rules: '' }))

const schemaTable = (title: string, schema: z.ZodType): Html | '' =>
  hasContent(schema) ? fieldTable(title, describeFields(schema)) : ''

const section = (endpoint: Endpoint): Html => html`
  <details>
    <summary>
      <b>${endpoint.method}</b> <code>${endpoint.path}</code> <span>${endpoint.summary}</span>
    </summary>
    ${endpoint.description === undefined ? '' : html`<p>${endpoint.description}</p>`}
    ${fieldTable('In the path', pathFields(endpoint.path))} ${schemaTable('In the query', endpoint.query)}
    ${schemaTable('Body', endpoint.body)}
    ${schemaTable(endpoint.paginated === true ? 'Response: data (one page) and total' : 'Response: data', endpoint.data)}
  </details>
`

/** Renders the API reference as one page without external resources. */
export function docsPage(endpoints: readonly Endpoint[]): Html {
  const tags = [...new Set(endpoints.map((endpoint) => endpoint.tag))]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Wheelhouse sandbox</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>Wheelhouse sandbox</h1>
        <p>
          A simulated GPU cloud on loopback. Every response is an envelope of status, message, data and, on
          lists, total. Send
          <code>Authorization: Bearer …</code> with an API token, or with an access token and its
          <code>refresh-token</code> header. For programs: <a href="openapi.json">openapi.json</a>.
        </p>
        <nav>${tags.map((tag) => html`<a href="#${anchor(tag)}">${tag}</a>`)}</nav>
        ${tags.map(
          (tag) => html`
            <h2 id="${anchor(tag)}">${tag}</h2>
            ${endpoints.filter((endpoint) => endpoint.tag === tag).map(section)}
          `,
        )}
      </body>
    </html>`
}
