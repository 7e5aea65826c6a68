import type { CheckUpReport } from '#shared/bridge/check-up'
import { dateFormat } from '#shared/locale'
import { checkText } from '#shared/messages/check-up-text'
import type { TranslatePath } from '#shared/messages/failure-text'
import { html, type Html } from '../billing/export/report/html'
import { style } from '../billing/export/report/style'

const exact = dateFormat({ dateStyle: 'long', timeStyle: 'long' })

const headOf = (report: CheckUpReport, account: string, t: TranslatePath) =>
  [
    [t('checkUp.report.machine'), report.name],
    [t('checkUp.report.id'), report.machine],
    [t('checkUp.report.flavor'), report.flavor],
    [t('checkUp.report.region'), report.region],
    [t('checkUp.report.account'), account],
    [t('checkUp.report.time'), exact(report.at)],
  ].flatMap(([name, value]) => (value === null ? [] : [[name ?? '', value ?? ''] as const]))

/** Returns a report as plain text. Pure. */
export function textReport(report: CheckUpReport, account: string, t: TranslatePath): string {
  const head = headOf(report, account, t).map(([name, value]) => `${name}: ${value}`)
  const results = report.results.map((result) => {
    const { title, verdict, note } = checkText(result, t)
    const expected = result.expected === null ? '' : ` (${t('checkUp.columns.expected')}: ${result.expected})`
    const found = result.found === null ? '' : `: ${result.found}`
    return [`[${verdict}] ${title}${found}${expected}`, ...(note === null ? [] : [`    ${note}`])].join('\n')
  })
  return [
    t('checkUp.report.title', { machine: report.name }),
    '',
    ...head,
    '',
    ...results,
    '',
    t('checkUp.report.made'),
    '',
  ].join('\n')
}

/** Returns a report as one page of HTML, for a PDF. Pure. */
export function htmlReport(report: CheckUpReport, account: string, t: TranslatePath): string {
  const rows: readonly Html[] = report.results.map((result) => {
    const { title, verdict, note } = checkText(result, t)
    return html`<tr>
      <td>${title}</td>
      <td>${result.found ?? ''}</td>
      <td>${result.expected ?? ''}</td>
      <td><strong>${verdict}</strong> <span class="muted">${note ?? ''}</span></td>
    </tr>`
  })
  const head: readonly Html[] = headOf(report, account, t).map(
    ([name, value]) =>
      html`<tr>
        <th>${name}</th>
        <td>${value}</td>
      </tr>`,
  )
  return html`<!doctype html>
    <html>
      <head>
        <meta charset="utf-8" />
        <title>${t('checkUp.report.title', { machine: report.name })}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header><h1>${t('checkUp.report.title', { machine: report.name })}</h1></header>
        <section>
          <table>
            ${head}
          </table>
        </section>
        <section>
          <table>
            <tr>
              <th>${t('checkUp.columns.check')}</th>
              <th>${t('checkUp.columns.found')}</th>
              <th>${t('checkUp.columns.expected')}</th>
              <th>${t('checkUp.columns.verdict')}</th>
            </tr>
            ${rows}
          </table>
        </section>
        <footer><p>${t('checkUp.report.made')}</p></footer>
      </body>
    </html>`.html
}
