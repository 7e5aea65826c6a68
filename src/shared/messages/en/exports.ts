/** Files made of tables. */
export const exports = {
  action: 'Export',
  menu: 'Export {what} as',
  formats: { csv: 'CSV, for spreadsheets', json: 'JSON, for programs' },
  choosing: 'Choose where to save it…',
  progress: '{done} of {total} rows',
  progressOpen: '{done} rows so far',
  cancel: 'Cancel the export',
  cancelled: 'The export was cancelled; no file was left.',
  saved: 'Saved {count} row as {file} | Saved {count} rows as {file}',
  savedIncomplete:
    'Saved {count} rows as {file}. The list kept changing while it was read, so something may be missing: export it again.',
  savedReport: 'Saved {file}',
} as const
