import type { Workload } from '../../cloud/records'
import { hash32 } from '../../random'
import type { Disk } from '../disk/disk'

interface Repository {
  readonly name: string
  readonly changes: number
  /** Commits on no remote until they are pushed. */
  readonly unpushed: number
  readonly stashes: number
}
const clean = { changes: 0, unpushed: 0, stashes: 0 }
const work: Readonly<Record<Workload, readonly Repository[]>> = {
  training: [
    { name: 'llama-train', changes: 3, unpushed: 2, stashes: 1 },
    { ...clean, name: 'dotfiles' },
  ],
  inference: [{ ...clean, name: 'serving' }],
  notebook: [{ ...clean, name: 'notebook-lab', changes: 1 }],
  nightly: [{ ...clean, name: 'eval' }],
  idle: [],
}

export const remoteOf = (name: string): string => `git@git.example.com:lab/${name}.git`
const commitOf = (text: string): string =>
  Array.from({ length: 5 }, (_, part) =>
    hash32(`${text}/${String(part)}`)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
const local = '/.git/refs/heads/main'
const remote = '/.git/refs/remotes/origin/main'

/** Returns the folders and files of the repositories of a new machine, relative to its home. `content`: null for a folder. */
export const repositoryEntries = (
  workload: Workload,
): readonly { readonly path: string; readonly content: string | null }[] =>
  work[workload].flatMap(({ name, unpushed }) => {
    const folders = ['', '/.git', '/.git/objects', '/.git/refs', '/.git/refs/heads', '/.git/refs/remotes']
    const head = `${commitOf(name)}\n`
    const files: readonly (readonly [string, string])[] = [
      ['/README.md', `# ${name}\n`],
      ['/.git/HEAD', 'ref: refs/heads/main\n'],
      ['/.git/config', `[remote "origin"]\n\turl = ${remoteOf(name)}\n`],
      [local, head],
      [remote, unpushed > 0 ? `${commitOf(`${name}/pushed`)}\n` : head],
    ]
    return [
      ...[...folders, '/.git/refs/remotes/origin'].map((path) => ({
        path: `/${name}${path}`,
        content: null,
      })),
      ...files.map(([path, content]) => ({ path: `/${name}${path}`, content })),
    ]
  })

/** Returns the content of a small file; null if it can't be read. */
function contentOf(disk: Disk, path: string): string | null {
  try {
    return disk.open(path, {}).read(0, 1_024).toString()
  } catch {
    return null
  }
}

/** Returns the repositories on the disk of a machine. */
export const repositoriesOf = ({ disk, home }: { readonly disk: Disk; readonly home: string }) =>
  Object.values(work)
    .flat()
    .flatMap((repository) => {
      const path = `${home}/${repository.name}`
      const head = contentOf(disk, path + local)
      if (head === null) return []
      const isPushed = head === contentOf(disk, path + remote)
      return [{ ...repository, path, unpushed: isPushed ? 0 : repository.unpushed }]
    })

/** Pushes the branch of a repository. Returns its commits before and after. Throws DiskError. */
export function pushBranch(disk: Disk, path: string): readonly [before: string, after: string] {
  const before = contentOf(disk, path + remote) ?? ''
  const after = contentOf(disk, path + local) ?? ''
  disk.open(path + remote, { write: true, create: true, truncate: true }).write(0, Buffer.from(after))
  return [before.slice(0, 7), after.slice(0, 7)]
}
