import type { Translation } from '../translation'
import type { notes as english } from '../en/notes'

export const notes: Translation<typeof english> = {
  tab: 'Notes',
  local:
    'Conservées uniquement sur cet ordinateur. Les filtres cherchent aussi dans les étiquettes et les notes.',
  tags: {
    title: 'Étiquettes',
    placeholder: 'Ajouter une étiquette',
    remove: 'Retirer l’étiquette {tag}',
    tooLong: '30 caractères au plus.',
    tooMany: '20 étiquettes au plus.',
  },
  text: {
    title: 'Notes',
    placeholder: {
      machine: 'À quoi sert-elle ? Qui l’utilise, jusqu’à quand ?',
      volume: 'Que contient-il ? Qui en a besoin, jusqu’à quand ?',
      token: 'Quel programme l’utilise, et où ?',
    },
    tooLong: '{count} caractères sur 2 000',
  },
}
