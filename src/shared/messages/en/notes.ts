/** Notes, tags and reminders, which stay on this computer. */
export const notes = {
  tab: 'Notes',
  local: 'Only on this computer. The filter finds tags and notes too.',
  tags: {
    title: 'Tags',
    placeholder: 'Add a tag',
    remove: 'Remove the tag {tag}',
    tooLong: 'A tag has 30 characters at most.',
    tooMany: '20 tags at most.',
  },
  text: {
    title: 'Notes',
    placeholder: {
      machine: 'What is this machine for? Who uses it, until when?',
      volume: 'What is on it? Who needs it, until when?',
      token: 'Which program uses it, and where?',
    },
    tooLong: '{count} of 2,000 characters',
  },
} as const
