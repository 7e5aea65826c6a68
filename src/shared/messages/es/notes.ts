import type { Translation } from '../translation'
import type { notes as english } from '../en/notes'

export const notes: Translation<typeof english> = {
  tab: 'Notas',
  local: 'Se guardan solo en este equipo. Los filtros también buscan en etiquetas y notas.',
  tags: {
    title: 'Etiquetas',
    placeholder: 'Agregar etiqueta',
    remove: 'Quitar la etiqueta {tag}',
    tooLong: 'Usa hasta 30 caracteres.',
    tooMany: 'Hasta 20 etiquetas.',
  },
  text: {
    title: 'Notas',
    placeholder: {
      machine: '¿Para qué es? ¿Quién la usa y hasta cuándo?',
      volume: '¿Qué contiene? ¿Quién lo necesita y hasta cuándo?',
      token: '¿Qué programa lo usa y dónde?',
    },
    tooLong: '{count} de 2000 caracteres',
  },
}
