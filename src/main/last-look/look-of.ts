import type { Job } from '#shared/bridge/job'
import type {
  LastLook,
  LookBefore,
  LookFile,
  LookGap,
  LookPart,
  LookRepository,
} from '#shared/bridge/last-look'
import { cut, oneLine } from '../core/one-line'
import { maskedCommand } from '../core/masked-command'
import { isDriverService, programsOf } from '../gpu/tools/programs'

const maxTextLength = 300
const maxPathLength = 1_000
/** Entries of one kind that are listed. More are a gap. */
const maxEntries = 200

const text = (value: string): string => cut(oneLine(value).trim(), maxTextLength)
const tools = ['gpus', 'tmux', 'screen'] as const
type Tool = (typeof tools)[number]
/** Lines that name a session. `screen -ls` prints a tab, the process id, and the state at the end. */
const sessionNames = { tmux: /^=(.*)$/, screen: /^\s+\d+\.(\S.*?)(?:\t.*)?$/ } as const
/** Other lines of tmux without a server, and of screen. */
const harmless = {
  tmux: /^(?:no server running on .*|error connecting to .* \((?:No such file or directory|Connection refused)\))$/,
  screen:
    /^(?:There (?:is a|are) .*screens? on:|No Sockets found in .*|\d+ Sockets? in .*|Remove dead screens .*)\s*$/,
} as const

type Draft = Omit<LookRepository, 'problem'> & { problem: string | null }

/** Collects the output of tools. Each tool prints a last line with its exit status; without it, the output is cut. */
function createToolReader(addGap: (part: LookPart, reason: string) => void) {
  const pids = new Set<number>()
  const sessions: LastLook['sessions'] = []
  const open: Record<Tool, string[]> = { gpus: [], tmux: [], screen: [] }
  const running = new Set<Tool>()

  /** Concludes the output of a tool; `status`: null without its last line. */
  function conclude(tool: Tool, lines: readonly string[], status: string | null): void {
    if (status === null) addGap(tool, 'too-long')
    else if (status === '124') addGap(tool, 'out-of-time')
    if (tool === 'gpus') {
      const ids = lines.filter((line) => /^\s*\d{1,10}\s*$/.test(line))
      ids.forEach((id) => pids.add(Number(id)))
      const [odd] = lines.filter((line) => !ids.includes(line))
      if (odd !== undefined) addGap(tool, odd)
      else if (status !== null && status !== '0') addGap(tool, 'cut-off')
      return
    }
    const names = lines.flatMap((line) => sessionNames[tool].exec(line)?.[1] ?? [])
    sessions.push(...names.map((name) => ({ tool, name: text(name) })))
    const [odd] = lines.filter((line) => !sessionNames[tool].test(line) && !harmless[tool].test(line))
    if (odd !== undefined) addGap(tool, odd)
  }
  function read(tool: Tool, line: string): void {
    const status = /^exit (\d+)$/.exec(line)?.[1]
    if (status === undefined) {
      if (line.trim() !== '') open[tool].push(line)
      return
    }
    running.delete(tool)
    conclude(tool, open[tool].splice(0), status)
  }

  return {
    read,
    begin(name: string): void {
      const tool = tools.find((known) => known === name)
      if (tool) running.add(tool)
    },
    result(): { readonly pids: readonly number[]; readonly sessions: LastLook['sessions'] } {
      for (const tool of tools)
        if (running.has(tool) || open[tool].length > 0) conclude(tool, open[tool].splice(0), null)
      return { pids: [...pids], sessions }
    },
  }
}

/** Parses a gap that the script reports. Pure. */
function gapOf(line: string): LookGap {
  const [, path] = /^files not-searched (.+)$/.exec(line) ?? []
  if (path !== undefined) return { part: 'files', reason: 'not-searched', path: cut(path, maxPathLength) }
  const [, word, reason = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
  const part = word === 'gpus' || word === 'tmux' || word === 'screen' ? word : 'files'
  return { part, reason: text(reason) || 'cut-off' }
}

/**
 * Returns jobs and sessions. `started`: names of running commands by the name of their session. `watched`: running jobs; a job
 * that another finding shows is left out.
 */
function sessionsOf(
  sessions: LastLook['sessions'],
  started: ReadonlyMap<string, string>,
  watched: readonly Job[],
  pids: readonly number[],
): LastLook['sessions'] {
  const isShown = ({ subject }: Job): boolean => {
    if (subject.kind === 'idle' || pids.includes(subject.process.pid)) return true
    if (subject.kind === 'command') return started.has(`job-${subject.id}`)
    if (subject.kind === 'process') return false
    return sessions.some(({ tool, name }) => tool === 'tmux' && subject.label.startsWith(`${name}:`))
  }
  const others = watched.filter((job) => !isShown(job)).map(({ name }) => text(name))
  return [
    ...[...started.values(), ...others].map((name) => ({ tool: 'job' as const, name })),
    // The session of a job shows nothing else.
    ...sessions.filter(({ tool, name }) => tool !== 'tmux' || !started.has(name)),
  ]
}

/** Collects the facts of a look line by line. `watched`: running jobs, which the look need not find. */
function createDraft(before: LookBefore, watched: readonly Job[]) {
  const repositories: Draft[] = []
  const files: LookFile[] = []
  const gaps: LookGap[] = []
  const programs: string[] = []
  const jobs = new Map<string, string>()
  let mount: string | null = null
  let isWhole = false

  function push(gap: LookGap): void {
    const isSame = ({ part, reason, path }: LookGap): boolean =>
      part === gap.part && reason === gap.reason && path === gap.path
    if (!gaps.some(isSame)) gaps.push(gap)
  }
  const addGap = (part: LookPart, reason: string): void => push({ part, reason: text(reason) })
  const toolReader = createToolReader(addGap)
  /** Reads one count of the current repository: exit status, lines, first line. */
  function count(key: 'changes' | 'unpushed' | 'tagged' | 'stashes', rest: string): void {
    const repository = repositories.at(-1)
    const [, status, lines, first = ''] = /^(\d+|long) (-?\d+)(?: (.*))?$/.exec(rest) ?? []
    if (!repository) return addGap('answer', 'cut-off')
    const value = key === 'unpushed' || key === 'tagged' ? Number(/^\d+$/.exec(first)?.[0]) : Number(lines)
    if (status === '0' && Number.isInteger(value) && value >= 0) {
      repository[key] = value
      return
    }
    if (status === '124') repository.problem ??= 'out-of-time'
    else if (status === 'long') repository.problem ??= 'too-long'
    else repository.problem ??= text(first) || 'cut-off'
  }
  function read(line: string): void {
    const [, word = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
    switch (word) {
      case 'repository':
        repositories.push({
          path: cut(rest, maxPathLength),
          changes: null,
          unpushed: null,
          tagged: null,
          stashes: null,
          problem: null,
        })
        break
      case 'changes':
      case 'unpushed':
      case 'tagged':
      case 'stashes':
        count(word, rest)
        break
      case 'file': {
        const [, bytes, at, path] = /^(\d+) (\d+) (.*)$/.exec(rest) ?? []
        if (path === undefined) addGap('files', 'odd-name')
        else files.push({ path: cut(path, maxPathLength), bytes: Number(bytes), at: Number(at), mount })
        break
      }
      case 'place':
        mount = rest.startsWith('mount ') ? cut(rest.slice('mount '.length), maxPathLength) : null
        break
      case 'gap': {
        push(gapOf(rest))
        break
      }
      case 'tmux':
      case 'screen':
      case 'gpus':
        toolReader.read(word, rest)
        break
      case 'job': {
        const [, id, command = ''] = /^([0-9a-f]{1,32}) (.*)$/.exec(rest) ?? []
        if (id === undefined) addGap('answer', 'cut-off')
        else jobs.set(`job-${id}`, text(maskedCommand(command.slice(0, maxPathLength))) || id)
        break
      }
      case 'program':
        programs.push(rest)
        break
      case 'tool':
        toolReader.begin(rest)
        break
      case 'end':
        isWhole = true
        break
      case '':
        break
      default:
        addGap('answer', 'cut-off')
    }
  }
  function bounded<Entry>(entries: readonly Entry[], part: LookPart): Entry[] {
    if (entries.length > maxEntries) addGap(part, 'too-many')
    return entries.slice(0, maxEntries)
  }
  function result(at: number): LastLook {
    if (!isWhole) addGap('answer', 'cut-off')
    const { pids, sessions } = toolReader.result()
    const withJobs = sessionsOf(sessions, jobs, watched, pids)
    const known = programsOf(programs.join('\n'))
    const onGpus = pids
      .map((pid) => ({ pid, command: known.get(pid)?.command ?? '' }))
      .filter(({ command }) => !isDriverService(command))
    for (const repository of repositories)
      if ([repository.changes, repository.unpushed, repository.tagged, repository.stashes].includes(null))
        repository.problem ??= 'cut-off'
    const unfinished = repositories.filter(
      ({ changes, unpushed, tagged, stashes, problem }) =>
        problem !== null || (changes ?? 1) + (unpushed ?? 1) + (tagged ?? 1) + (stashes ?? 1) > 0,
    )
    return {
      at,
      before,
      repositories: bounded(unfinished, 'git'),
      cleanRepositories: repositories.length - unfinished.length,
      programs: bounded(onGpus, 'gpus'),
      sessions: bounded(withJobs, 'tmux'),
      files: bounded(files, 'files'),
      gaps: gaps.slice(0, maxEntries),
    }
  }
  return { read, result }
}

/**
 * Parses the output of `lookScript`. A part that is missing or odd is a gap. `at`: epoch seconds. `watched`: running jobs of the
 * machine, which are listed even if the look did not find them. Pure, never throws.
 */
export function lookOf(
  output: string,
  before: LookBefore,
  at: number,
  watched: readonly Job[] = [],
): LastLook {
  const draft = createDraft(before, watched)
  for (const line of output.split('\n')) draft.read(line)
  return draft.result(at)
}
