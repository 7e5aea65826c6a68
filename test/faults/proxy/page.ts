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

/** Calls by their kinds where all of a kind are among them, else by name. */
function namesOf(some: readonly NamedCall[], calls: readonly NamedCall[]): string {
  const names = [...groupBy(some, ({ kind }) => kind)].flatMap(([kind, group]) => {
    const isWhole = calls.filter((call) => call.kind === kind).length === group.length
    return isWhole ? [kindNames[group[0]?.kind ?? 'page']] : group.map(({ name }) => `\`${name}\``)
  })
  return names.join(', ')
}

/** What most calls end in, and then what the others do. */
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

/** docs/faults.md. */
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
    `What each call of the client ends in at each fault of the way to the service: ${String(entries.length)} faults × ${String(calls.length)} calls, ${String(cells)} cells. Written by \`test/faults/fault-matrix.test.ts\`, which fails where it is no longer true; \`npx vitest run test/faults/fault-matrix.test.ts -u\` writes it anew.`,
    '',
    'The faults are made by a proxy between the client and the sandbox (`test/faults/proxy`). In every cell the failure is one of the closed set and holds no secret, the service acts on a change at most once, no other host is asked, nothing is sent in a pause that the service asked for, and the next call succeeds without a restart: after a new sign-in by the person where the session has ended.',
    '',
    'Each row names what most calls end in, and then the exceptions: the kind of the failure, `whole` for the answer as it would be without the fault, or `readable` for what can be read of it (records that cannot be read are beside it). The client sends one request where no number is named: a page that is refused for its input is asked for with smaller limits, reads wait for the end of short pauses, HTTP 401 brings one new sign-in.',
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
    'What main keeps of machines, volumes, bare metal, balances, charges and the ledger stays through every fault; what it reads for a page (API tokens, flavors, images, regions, firewall rules, statements, usage, metrics) fails, and the window keeps what it had, or says that not all of it could be read (`test/faults/kept-lists.test.ts`, `test/faults/kept-pages.test.ts`).',
    '',
    '## Over SSH',
    '',
    `What telemetry and the check of the host key before a terminal end in at each of ${String(Object.keys(sshFaults).length)} faults of a machine (\`test/faults/ssh-matrix.test.ts\`). In every cell the last readings stay while there is no connection, memory is bounded, one attempt follows another in growing pauses, nothing is tried again after a stop, no key is offered to a changed host, and the next connection succeeds without a restart.`,
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
