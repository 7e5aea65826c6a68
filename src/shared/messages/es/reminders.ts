import type { Translation } from '../translation'
import type { reminders as english } from '../en/reminders'

export const reminders: Translation<typeof english> = {
  title: 'Recordatorios',
  hint: 'Recordarme que revise esta máquina.',
  kind: 'Cuándo',
  at: 'A una hora',
  after: 'Tras unas horas',
  time: 'Hora',
  hours: 'Horas',
  invalidHours: 'Escribe de 0,1 a 8784 horas.',
  invalidTime: 'Escribe una hora como {time}.',
  add: 'Recordármelo',
  list: 'Recordatorios de esta máquina',
  pending: '{moment} (en {duration})',
  notified: 'Vencido: {moment}',
  cancel: 'Cancelar recordatorio: {moment}',
  dismiss: 'Descartar recordatorio: {moment}',
  set: 'Te lo recordaremos: {moment}',
  today: 'hoy, {time}',
  notice: {
    title: 'Recordatorio: {machine}',
    text: 'Definiste este recordatorio para: {time}. Se te cobra hasta que elimines la máquina.',
  },
  toast: 'Recordatorio: {machine} sigue existiendo. Se te cobra hasta que la elimines.',
}
