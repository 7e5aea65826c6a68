import { branchesTitle, type PushBranch, type PushPlaces } from '#shared/bridge/last-look'
import { quoted } from '#shared/quoted'
import { oneLine } from '../core/one-line'
import { maskedCommand } from '../core/masked-command'

/** Branches and remotes that are listed, and characters of a name that are read. */
const max = { branches: 100, remotes: 20, name: 300, url: 2_000 } as const

/**
 * Script that lists the branches of a repository with commits that are on no remote, with the place of each push: the branch's
 * upstream, or its own name. Reads only, as the look does. Pure.
 */
export const branchesScript = (path: string): string => `${branchesTitle}
LC_ALL=C; GIT_NO_LAZY_FETCH=1; GIT_TERMINAL_PROMPT=0
export LC_ALL GIT_NO_LAZY_FETCH GIT_TERMINAL_PROMPT
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
at=${quoted(path)}
git_at() { git --no-optional-locks -c core.fsmonitor=false -C "$at" "$@" </dev/null; }
git_at remote | head -n ${max.remotes} | while IFS= read -r remote; do
  echo "remote $remote $(git_at remote get-url --push "$remote" | head -n 1)"
done
format='%(if)%(upstream)%(then)%(upstream:remotename) %(upstream:remoteref)%(else)- -%(end) %(refname)'
git_at for-each-ref --count=${max.branches} --format="$format" refs/heads | while read -r remote target ref; do
  echo "branch $remote $target $ref $(git_at rev-list --count "$ref" --not --remotes)"
done
echo end
`

const text = (value: string): string => oneLine(value).trim().slice(0, max.name)
const isRef = (ref: string): boolean => /^refs\/heads\/[^\s~^:?*[\\]+$/.test(ref) && !ref.includes('..')

/** Parses the output of `branchesScript`; null if it is incomplete. A branch of no remote goes to the first one. Pure, never throws. */
export function branchesOf(output: string): PushPlaces | null {
  const lines = output.split('\n')
  if (!lines.includes('end')) return null
  const remotes = lines.slice(0, 2 * max.branches).flatMap((line) => {
    const [, name, url = ''] = /^remote (\S+)(?: (.*))?$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, url: text(maskedCommand(url.slice(0, max.url))) }]
  })
  const known = (name: string): string | undefined => remotes.find((remote) => remote.name === name)?.name
  const branches = lines.slice(0, 2 * max.branches).flatMap((line): PushBranch[] => {
    const [, remote = '', target = '', ref = '', count] = /^branch (\S+) (\S+) (\S+) (\d+)$/.exec(line) ?? []
    const to = known(remote) ?? known('origin') ?? remotes[0]?.name
    if (count === undefined || Number(count) === 0 || to === undefined || !isRef(ref)) return []
    const isTracked = known(remote) !== undefined && isRef(target)
    return [{ ref, remote: to, target: isTracked ? target : ref, commits: Number(count) }]
  })
  return { remotes, branches }
}
