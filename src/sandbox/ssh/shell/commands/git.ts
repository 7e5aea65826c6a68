import { absolutePath } from '../../disk/disk'
import { failed, type Command } from '../command'
import { pushBranch, remoteOf, repositoriesOf } from '../repositories'

/** The part of git that the application runs: `git -C PATH push origin BRANCH`. The remote accepts each push. */
export const git: Command = {
  name: 'git',
  summary: 'push a repository (git -C PATH push)',
  *run({ args, shell }) {
    const isElsewhere = args[0] === '-C'
    const [action, remote = 'origin'] = isElsewhere ? args.slice(2) : args
    const path = absolutePath(shell.directory, isElsewhere ? (args[1] ?? '') : '.')
    if (action !== 'push') return yield* failed('git', `'${action ?? ''}' is not a command of the sandbox`)
    const repository = repositoriesOf(shell).find((one) => one.path === path)
    if (!repository) return yield* failed('fatal', `not a git repository: '${path}'`, 128)
    if (remote !== 'origin')
      return yield* failed('fatal', `'${remote}' does not appear to be a git repository`, 128)
    const [before, after] = pushBranch(shell.disk, path)
    const report =
      before === after
        ? 'Everything up-to-date\n'
        : `To ${remoteOf(repository.name)}\n   ${before}..${after}  main -> main\n`
    yield { to: 'stderr', data: report }
    return 0
  },
}
