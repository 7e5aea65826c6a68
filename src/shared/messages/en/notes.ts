/** Notes, tags and reminders, which stay on this computer. */
export const notes = {
  tab: 'Notes',
  local: 'Stored only on this computer. Filters search tags and notes too.',
  tags: {
    title: 'Tags',
    placeholder: 'Add a tag',
    remove: 'Remove tag {tag}',
    tooLong: 'Use up to 30 characters.',
    tooMany: 'Up to 20 tags.',
  },
  text: {
    title: 'Notes',
    placeholder: {
      machine: 'What’s it for? Who uses it, until when?',
      volume: 'What’s on it? Who needs it, until when?',
      token: 'Which program uses it, and where?',
    },
    tooLong: '{count} of 2,000 characters',
  },
} as const
