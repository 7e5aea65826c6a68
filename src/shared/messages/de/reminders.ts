import type { Translation } from '../translation'
import type { reminders as english } from '../en/reminders'

export const reminders: Translation<typeof english> = {
  title: 'Erinnerungen',
  hint: 'Erinnert Sie daran, nach dieser Maschine zu sehen.',
  kind: 'Wann',
  at: 'Um',
  after: 'Nach',
  time: 'Zeit',
  hours: 'Stunden',
  invalidHours: 'Geben Sie 0,1 bis 8784 Stunden ein.',
  invalidTime: 'Geben Sie eine Zeit wie {time} ein.',
  add: 'Erinnern',
  list: 'Erinnerungen an diese Maschine',
  pending: '{moment}, in {duration}',
  notified: 'War fällig: {moment}',
  cancel: 'Erinnerung aufheben: {moment}',
  dismiss: 'Erinnerung ausblenden: {moment}',
  set: 'Erinnerung gesetzt: {moment}',
  today: 'heute {time}',
  notice: {
    title: 'Erinnerung: {machine}',
    text: 'Sie haben diese Erinnerung für {time} gesetzt. Sie zahlen, bis die Maschine gelöscht ist.',
  },
  toast: 'Erinnerung: {machine} existiert noch. Sie zahlen, bis die Maschine gelöscht ist.',
}
