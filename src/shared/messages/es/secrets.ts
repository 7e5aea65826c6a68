import type { Translation } from '../translation'
import type { secrets as english } from '../en/secrets'

export const secrets: Translation<typeof english> = {
  title: '¿Mostrar la contraseña de {machine} en un terminal?',
  notice: 'Un comando de Wheelhouse la solicita. Responde en Wheelhouse en dos minutos.',
  text: 'El comando wheelhouse show --show-secret se inició en este equipo. Imprime la contraseña; la verá cualquier programa que lea su salida.',
  machine: 'Máquina',
  account: 'Cuenta',
  allow: 'Mostrar la contraseña',
  deny: 'Rechazar',
}
