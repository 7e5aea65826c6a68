/** Files made of tables. */
export const exports = {
  action: 'Export',
  menu: 'Export {what} as',
  formats: { csv: 'CSV, for spreadsheets', json: 'JSON, for programs' },
  choosing: 'Choose where to save it…',
  progress: '{done} of {total} rows',
  progressOpen: '{done} rows so far',
  cancel: 'Cancel the export',
  saved: 'Saved {count} row as {file} | Saved {count} rows as {file}',
  savedIncomplete:
    'Saved {count} rows as {file}. The list kept changing while it was read, so something may be missing: export it again.',
  leftOut:
    '{count} record could not be read and is not in {file} | {count} records could not be read and are not in {file}',
  report: 'Report',
  reportHint: 'One page about a month, as PDF',
  reportOf: 'Report of',
  savedReport: 'Saved {file}',
  /** The page about a month. */
  page: {
    title: 'Spending in {month}',
    account: 'Account {account}',
    made: 'Made on {date} by Wheelhouse',
    sandbox: 'This is the sandbox: none of it is real money.',
    total: 'Total',
    soFar: 'So far',
    charged: 'charged',
    estimated: 'estimated',
    forecast: 'Forecast for the month',
    forecastNote:
      'if the {count} resource that runs now keeps running at {rate} an hour | if the {count} resources that run now keep running at {rate} an hour',
    forecastNothing: 'if nothing more is started',
    perDay: 'Per day, in {currency}',
    charts: { charged: 'Charged', estimated: 'Estimated, not charged yet' },
    nothing: 'Nothing was spent in this month.',
    byType: 'By type',
    types: { vm: 'Machines', volume: 'Volumes' },
    byGpu: 'By GPU model',
    noGpu: 'No GPU',
    unknownGpu: 'Unknown GPU',
    others: 'Others',
    gpuHours: '{hours} GPU-hours',
    top: 'The most expensive',
    columns: { name: 'Resource', gpu: 'GPU', hours: 'Hours', cost: 'Cost' },
    moreNote: '{count} more cost {amount} together.',
    notes: 'How this was worked out',
    noteDays: 'Days and the month are those of the time zone {zone}.',
    noteCharged:
      'Charged is what the statements of the service say, each shared out over the time that it covers. Estimated is the fee per minute of time that no statement covers yet.',
    noteAssumed:
      'The service does not name its currency; amounts are taken to be in {currency}. Different currencies are never added.',
    noteReported: 'Currencies are those that the service names. Different currencies are never added.',
    notePartial: 'Not all statements had been read when this was made, so the past may be incomplete.',
    noteNone:
      'No statements are kept on this computer: everything is estimated from the fees that usage reports.',
  },
} as const
