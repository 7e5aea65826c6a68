import type { Translation } from '../translation'
import type { reminders as english } from '../en/reminders'

export const reminders: Translation<typeof english> = {
  title: 'Rappels',
  hint: 'Me rappeler de vérifier cette machine.',
  kind: 'Quand',
  at: 'Heure fixe',
  after: 'Délai',
  time: 'Heure',
  hours: 'Heures',
  invalidHours: 'Saisissez de 0,1 à 8 784 heures.',
  invalidTime: 'Saisissez une heure comme {time}.',
  add: 'Me le rappeler',
  list: 'Rappels de cette machine',
  pending: '{moment}, dans {duration}',
  notified: 'Échu : {moment}',
  cancel: 'Annuler le rappel : {moment}',
  dismiss: 'Ignorer le rappel : {moment}',
  set: 'Rappel programmé : {moment}',
  today: 'aujourd’hui à {time}',
  notice: {
    title: 'Rappel : {machine}',
    text: 'Rappel que vous avez programmé pour {time}. La machine est facturée jusqu’à sa suppression.',
  },
  toast: 'Rappel : la machine {machine} existe toujours. Elle est facturée jusqu’à sa suppression.',
}
