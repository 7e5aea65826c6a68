import type { Translation } from '../translation'
import type { askpass as english, secrets as englishSecrets } from '../en/askpass'

export const askpass: Translation<typeof english> = {
  notice: {
    title: 'El inicio de sesión en {machine} necesita tu respuesta',
    body: 'Abre Wheelhouse para responder.',
  },
  title: 'Inicio de sesión en {machine}',
  password: 'Contraseña de {subject}',
  passphrase: 'Frase de contraseña de {subject}',
  firstContact:
    'Es tu primera conexión con esta máquina. Antes de que se envíe su contraseña, compara su clave de host con la que muestra su operador:',
  hostKey:
    'Es tu primera conexión con esta máquina. Antes de escribir una contraseña o un código, compara su clave de host con la que muestra su operador:',
  newHost: {
    title: 'Primera conexión con {machine}',
    text: 'Compara su clave de host con la que muestra su operador. Wheelhouse solo se conecta cuando confías en ella.',
    address: 'Dirección',
    type: 'Tipo de clave',
    fingerprint: 'Huella digital',
  },
  touch: {
    title: 'Toca tu llave de seguridad para conectar con {machine}',
    body: 'Wheelhouse inicia sesión cuando la toques.',
  },
  fromOther:
    'El host de salto {from} necesita una respuesta de camino a {machine}. Puede que este texto lo haya escrito ese host:',
  other: 'SSH necesita una respuesta. Puede que este texto lo haya escrito la máquina:',
  again: 'No se aceptó. Vuelve a intentarlo.',
  answer: { password: 'Contraseña', passphrase: 'Frase de contraseña', other: 'Respuesta' },
  show: 'Mostrar lo escrito',
  hide: 'Ocultar lo escrito',
  action: 'Continuar',
  send: 'Enviar la contraseña',
  trust: 'Confiar en esta clave',
  invalid: 'Escribe una línea de 1000 caracteres como máximo.',
  keep: {
    label: 'Recordarla',
    no: 'No',
    session: 'Hasta que salga',
    keychain: 'En el llavero',
  },
  state: {
    label: 'Frases de contraseña y contraseñas',
    window: 'Se piden en Wheelhouse ({version})',
    own: 'Las pide el programa de SSH_ASKPASS',
    terminal: 'Se piden en la terminal ({version}). Pedirlas en Wheelhouse requiere OpenSSH 8.5 o posterior.',
    windows: 'Se piden en la terminal',
  },
  kept: '{count} frase de contraseña recordada | {count} frases de contraseña recordadas',
  forget: 'Olvidar',
  forgotten: 'Frases de contraseña olvidadas',
}

export const secrets: Translation<typeof englishSecrets> = {
  title: '¿Mostrar la contraseña de {machine} en un terminal?',
  notice: 'Un comando de Wheelhouse la solicita. Responde en Wheelhouse en dos minutos.',
  text: 'El comando wheelhouse show --show-secret se inició en este equipo. Imprime la contraseña; la verá cualquier programa que lea su salida.',
  machine: 'Máquina',
  account: 'Cuenta',
  allow: 'Mostrar la contraseña',
  deny: 'Rechazar',
}
