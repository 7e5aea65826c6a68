import { sshFaults } from '../ssh/ssh-faults'
import type { CallKind, NamedCall } from './kinds'
import type { Fault, Outcome } from './wire'

/** By fault and call. */
export type Outcomes = ReadonlyMap<string, ReadonlyMap<string, Outcome>>

const kindNames: Readonly<Record<CallKind, string>> = {
  page: 'pages',
  whole: 'whole lists',
  record: 'records',
  change: 'changes with an answer',
  silent: 'changes without',
  signIn: 'sign-ins',
  paging: 'pages in a row',
}

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string) => {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Returns calls by their kinds if all of a kind are included, otherwise by name. */
function namesOf(some: readonly NamedCall[], calls: readonly NamedCall[]): string {
  const names = [...groupBy(some, ({ kind }) => kind)].flatMap(([kind, group]) => {
    const isWhole = calls.filter((call) => call.kind === kind).length === group.length
    return isWhole ? [kindNames[group[0]?.kind ?? 'page']] : group.map(({ name }) => `\`${name}\``)
  })
  return names.join(', ')
}

/** Returns the most common outcome, and then the exceptions. */
function cellsOf(outcomes: ReadonlyMap<string, Outcome>, calls: readonly NamedCall[]): string {
  const wordsOf = ({ name }: NamedCall) => (outcomes.get(name) ?? '').replace(/ ×(\d+)/, ' in $1 requests')
  const groups = [...groupBy(calls, wordsOf)].toSorted(([, a], [, b]) => b.length - a.length)
  return groups
    .map(([outcome, some], index) => (index === 0 ? outcome : `${namesOf(some, calls)}: ${outcome}`))
    .join('; ')
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)]
}

/** Returns the content of docs/faults.md. */
export function pageOf(
  faults: Readonly<Record<string, Fault>>,
  calls: readonly NamedCall[],
  outcomes: Outcomes,
): string {
  const entries = Object.entries(faults)
  const cells = entries.length * calls.length
  return [
    '# Faults',
    '',
    `Outcome of each call of the client at each fault on the way to the service: ${String(entries.length)} faults × ${String(calls.length)} calls, ${String(cells)} cells. Written by \`test/faults/fault-matrix.test.ts\`, which fails if it is outdated; \`npx vitest run test/faults/fault-matrix.test.ts -u\` updates it.`,
    '',
    'A proxy between the client and the sandbox (`test/faults/proxy`) causes the faults. In every cell the failure has a known kind and contains no secret. The service acts on a change at most once, and no other host gets a request. Nothing is sent during a pause that the service asked for. The next call succeeds without a restart, after a new sign-in by the user if the session has ended.',
    '',
    'Each row has the most common outcome, and then the exceptions: the kind of the failure, `whole` for the same answer as without the fault, or `readable` for its readable part (with the unreadable records listed separately). Without a number the client sends one request. A page that is refused for its input is requested with smaller limits, reads wait for the end of short pauses, and HTTP 401 causes one new sign-in.',
    '',
    '## Calls',
    '',
    ...table([
      ['Kind', 'Calls'],
      ...[...groupBy(calls, ({ kind }) => kind)].map(([, group]) => [
        kindNames[group[0]?.kind ?? 'page'],
        group.map(({ name }) => `\`${name}\``).join(', '),
      ]),
    ]),
    '',
    '## Matrix',
    '',
    ...table([
      ['Fault', 'On the wire', 'Calls end in'],
      ...entries.map(([name, { what }]) => [name, what, cellsOf(outcomes.get(name) ?? new Map(), calls)]),
    ]),
    '',
    '## Pages',
    '',
    'Data of machines, volumes, bare metal, balances, charges and the ledger in main survives every fault. Readings for a page (API tokens, flavors, images, regions, firewall rules, statements, usage, metrics) fail, and the window keeps its data, or notes that some of it is unreadable (`test/faults/kept-lists.test.ts`, `test/faults/kept-pages.test.ts`).',
    '',
    '## Over SSH',
    '',
    `Outcome of telemetry and of the host-key check before a terminal at each of ${String(Object.keys(sshFaults).length)} faults of a machine (\`test/faults/ssh-matrix.test.ts\`). In every cell the last readings stay without a connection, memory is bounded, and the pauses between attempts grow. Nothing is retried after a stop, no key is offered to a changed host, and the next connection succeeds without a restart.`,
    '',
    ...table([
      ['Fault', 'On the wire', 'Telemetry', 'Connect opens or fails with'],
      ...Object.entries(sshFaults).map(([name, { what, expected }]) => [
        name,
        what,
        expected.telemetry,
        expected.connect,
      ]),
    ]),
    '',
  ].join('\n')
}
