import type { CostResource, CostShare } from '#shared/bridge/cost'
import {
  currentLocale,
  dateFormat,
  formatCount,
  languages,
  messageLanguage,
  numberFormat,
} from '#shared/locale'
import { exports } from '#shared/messages/en/exports'
import type { TranslatePath } from '#shared/messages/failure-text'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { dayChart } from './day-chart'
import { html, type Html, none } from './html'
import type { MonthReport, ReportedCurrency } from './month-report'
import { style } from './style'

/** Number of currencies with a chart. More would not fit on the page; their amounts are in the totals. */
const mostCharts = 2
/** Number of most expensive resources if there are several currencies. */
const fewer = 5
/** Number of rows of GPU models. The last row sums the rest. */
const mostGpus = 5

interface PageContext {
  readonly report: MonthReport
  /** Translates a text of the page. */
  t(path: string, values?: Readonly<Record<string, string | number>>): string
}

function shareText(share: CostShare, { t }: PageContext): string {
  switch (share.kind) {
    case 'named':
      return Object.hasOwn(exports.page.types, share.name) ? t(`types.${share.name}`) : share.name
    case 'none':
      return t('noGpu')
    case 'unknown':
      return t('unknownGpu')
    case 'total':
      return t('total')
    case 'others':
      return t('others')
  }
}

function gpuText({ gpu, gpuCount, type }: CostResource, { t }: PageContext): string {
  if (gpu === 'none' || type === 'volume') return t('noGpu')
  if (gpu === null) return t('unknownGpu')
  return gpuCount === null ? gpu : `${String(gpuCount)} × ${gpu}`
}

/** Returns the currency for the title of a list, if there are several currencies. */
const currencyInTitle = ({ currency }: ReportedCurrency, { report }: PageContext): string =>
  report.currencies.length > 1 ? ` (${currency})` : ''

/** Returns a function that formats amounts of a currency. */
const moneyOf =
  ({ currency }: ReportedCurrency) =>
  (millionths: number): string =>
    formatMoney({ millionths, currency })

/** Returns the assumption of the forecast. */
function assumption(
  { running, unpriced, perHour }: NonNullable<ReportedCurrency['forecast']>,
  currency: string,
  { t }: PageContext,
): string {
  if (running === 0) return t('forecastNothing')
  if (running === unpriced) return t('forecastUnpriced', { count: unpriced })
  const rate = formatRate({ millionths: perHour, currency })
  const note = t('forecastNote', { count: running - unpriced, rate })
  return unpriced === 0 ? note : t('forecastUncounted', { assumption: note, count: unpriced })
}

function figures(one: ReportedCurrency, context: PageContext): Html {
  const { t } = context
  const money = moneyOf(one)
  const { forecast } = one
  const isPastUnknown = forecast !== null && forecast.undated > 0 && one.charged + one.estimated === 0
  return html`<div class="figures">
    <div>
      <h2>${t(forecast === null ? 'total' : 'soFar')}</h2>
      <p class="amount">${isPastUnknown ? t('unknown') : money(one.charged + one.estimated)}</p>
      <p class="muted">
        ${money(one.charged)}
        ${t('charged')}${one.estimated === 0 ? '' : html`, ${money(one.estimated)} ${t('estimated')}`}
      </p>
    </div>
    ${
      forecast === null
        ? none
        : html`<div>
            <h2>${t('forecast')}</h2>
            <p class="amount">
              ${isPastUnknown || (forecast.total === 0 && forecast.unpriced > 0) ? t('unknown') : money(forecast.total)}
            </p>
            <p class="muted">${assumption(forecast, one.currency, context)}</p>
          </div>`
    }
  </div>`
}

function chart(one: ReportedCurrency, { t, report }: PageContext): Html {
  const labels = report.starts.map(dateFormat({ month: 'short', day: 'numeric', timeZone: report.timeZone }))
  const axis = numberFormat({ maximumFractionDigits: 6 })
  return html`<section>
    <h2>${t('perDay', { currency: one.currency })}</h2>
    <p class="legend">
      <span class="charged"></span>${t('charts.charged')}
      ${one.estimated === 0 ? none : html`<span class="estimated"></span>${t('charts.estimated')}`}
    </p>
    ${dayChart({ labels, ...one.days }, t('perDay', { currency: one.currency }), (millionths) =>
      axis(millionths / 1_000_000),
    )}
  </section>`
}

function shares(one: ReportedCurrency, context: PageContext): Html {
  const { t } = context
  const money = moneyOf(one)
  const restOfGpus = one.gpus
    .slice(mostGpus)
    .reduce((sum, { cost }) => sum + cost.charged + cost.estimated, 0)
  return html`<div class="two">
    <section>
      <h2>${t('byType')}${currencyInTitle(one, context)}</h2>
      <table>
        ${one.types.map(
          ({ share, total }) =>
            html`<tr>
              <td>${shareText(share, context)}</td>
              <td class="number">${money(total)}</td>
            </tr>`,
        )}
      </table>
    </section>
    <section>
      <h2>${t('byGpu')}${currencyInTitle(one, context)}</h2>
      <table>
        ${one.gpus.slice(0, mostGpus).map(
          ({ share, cost, gpuHours }) =>
            html`<tr>
              <td>${shareText(share, context)}</td>
              <td class="number muted">
                ${gpuHours === null ? '' : t('gpuHours', { hours: formatCount(gpuHours) })}
              </td>
              <td class="number">${money(cost.charged + cost.estimated)}</td>
            </tr>`,
        )}
        ${
          restOfGpus === 0
            ? none
            : html`<tr>
                <td>${t('others')}</td>
                <td></td>
                <td class="number">${money(restOfGpus)}</td>
              </tr>`
        }
      </table>
    </section>
  </div>`
}

function top(one: ReportedCurrency, context: PageContext): Html {
  const { t, report } = context
  const money = moneyOf(one)
  return html`<section>
    <h2>${t('top')}${currencyInTitle(one, context)}</h2>
    <table>
      <tr>
        <th>${t('columns.name')}</th>
        <th>${t('columns.gpu')}</th>
        <th class="number">${t('columns.hours')}</th>
        <th class="number">${t('columns.cost')}</th>
      </tr>
      ${one.top.slice(0, report.currencies.length > 1 ? fewer : one.top.length).map(
        ({ resource, seconds, cost }) =>
          html`<tr>
            <td class="name">${resource.name ?? resource.id}</td>
            <td class="gpu muted">${gpuText(resource, context)}</td>
            <td class="number muted">${formatCount(seconds / 3600)}</td>
            <td class="number">${money(cost)}</td>
          </tr>`,
      )}
    </table>
    ${
      one.more.count === 0
        ? none
        : html`<p class="muted">${t('moreNote', { count: one.more.count, amount: money(one.more.cost) })}</p>`
    }
  </section>`
}

/** Returns the page about a month as one document, without scripts and external resources. Pure. */
export function reportPage(report: MonthReport, translate: TranslatePath): string {
  const t: PageContext['t'] = (path, values) => translate(`exports.page.${path}`, values)
  const { timeZone } = report
  const month = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })(
    Date.parse(`${report.month}T00:00:00Z`) / 1000,
  )
  const made = dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone })(report.asOf)
  const title = t('title', { month })
  const context: PageContext = { report, t }

  const [first] = report.currencies
  const assumed = report.currencies.find((one) => one.assumed)
  const notes = [
    t('noteDays', { zone: report.timeZone }),
    t('noteCharged'),
    assumed ? t('noteAssumed', { currency: assumed.currency }) : t('noteReported'),
    ...(report.history === 'partial' ? [t('notePartial')] : []),
    ...(report.history === 'none' ? [t('noteNone')] : []),
  ]
  const density = ['', '', 'several'][report.currencies.length] ?? 'several many'
  const document = html`<!doctype html>
    <html lang="${messageLanguage(currentLocale(), languages)}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body class="${density}">
        <header>
          <div>
            <h1>${title}</h1>
            <p class="muted">${t('account', { account: report.account })}</p>
          </div>
          <p class="muted made">${t('made', { date: made })}</p>
        </header>
        ${report.sandbox ? html`<p class="sandbox">${t('sandbox')}</p>` : none}
        ${report.currencies.length === 0 ? html`<p>${t('nothing')}</p>` : none}
        ${report.currencies.map((one) => figures(one, context))}
        ${report.currencies.slice(0, mostCharts).map((one) => chart(one, context))}
        ${first ? shares(first, context) : none} ${first ? top(first, context) : none}
        <footer>
          <h2>${t('notes')}</h2>
          <ul>
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>
        </footer>
      </body>
    </html>`
  return document.html
}
