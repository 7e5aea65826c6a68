/** The look at a machine before it is stopped or deleted. */
export const lastLook = {
  attempt: 'Looking at the machine',
  title: { stop: 'What a stop would interrupt', delete: 'What would be lost' },
  looking: 'Looking at {machine}…',
  again: 'Look again',
  terminal: 'Open terminal',
  nothing: {
    stop: 'No programs on the GPUs, and no tmux or screen sessions.',
    delete:
      'No unsaved Git work, programs on the GPUs, sessions or large new files. Other files were not checked.',
  },
  nothingFound: 'Nothing found in the part that could be read.',
  clean: '{count} other repository has no unsaved work. | {count} other repositories have no unsaved work.',
  failed: 'Could not look: {reason}',
  unsafe: 'What would be lost is unknown.',
  consent: {
    text: {
      stop: 'Wheelhouse can look over SSH for running programs and sessions first. It changes nothing on the machine.',
      delete:
        'Wheelhouse can look over SSH for Git work, running programs, sessions and large new files first. It reads the repositories in the home folder and on volumes, for at most 10 seconds, and changes nothing.',
    },
    everywhere: 'Allow on all machines',
    here: 'Only on this machine | Only on these machines',
  },
  repository: {
    changes: '{count} uncommitted change | {count} uncommitted changes',
    unpushed: '{count} commit not pushed | {count} commits not pushed',
    stashes: '{count} stash | {count} stashes',
    unread: 'could not be read: {reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'On the GPUs',
    sessions: 'Sessions',
    files: 'Large files of the last {count} day | Large files of the last {count} days',
    gaps: 'Not read',
  },
  process: 'Process {pid}',
  processes: '{count} processes',
  file: '{size}, written {time}',
  mount: 'on {mount}, which may be an attached volume',
  more: 'and {count} more',
  parts: {
    git: 'Git',
    files: 'Files',
    gpus: 'GPUs',
    tmux: 'tmux',
    screen: 'screen',
    answer: 'Answer of the machine',
  },
  problems: {
    'out-of-time': 'there was not enough time',
    'not-installed': 'the program is not installed',
    'too-many': 'there is too much to list',
    'too-long': 'the answer is too long',
    'odd-name': 'a name could not be read',
    'cut-off': 'the answer is incomplete',
  },
} as const
