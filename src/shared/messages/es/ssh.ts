import type { Translation } from '../translation'
import type { ssh as english } from '../en/ssh'

export const ssh: Translation<typeof english> = {
  connect: 'Conectar',
  connectIn: 'en {terminal}',
  opened: 'Abriendo {machine} en {terminal}',
  missing:
    '{missing} no está instalado, así que se abrió {terminal}. Instálalo o elige otro en Configuración.',
  failed: 'No se pudo abrir {failed}. La sesión se abrió aquí. Elige otro programa en Configuración.',
  placeRefused: 'Esta terminal no puede abrir “{place}”. Elige otra terminal en Configuración.',
  noClient: 'OpenSSH (ssh) no está instalado en este equipo.',
  unreachable: '{machine}: {reason}',
  disabledReason: {
    stopped: 'Detenida. Iníciala para conectar.',
    moving: 'Aún no está lista. Podrás conectarte cuando esté en ejecución.',
    'no-address': 'Esperando una dirección…',
    gone: 'Esta máquina ya no existe.',
  },
  notBegun: {
    restricted: {
      title: 'Shell de inicio de sesión restringido',
      text: 'El shell del usuario en la máquina solo ejecuta algunos programas: {said}',
      next: 'Define otro usuario en la pestaña Conexión o da a este usuario un shell completo.',
    },
    'no-shell': {
      title: 'No se admite en esta máquina',
      text: 'No tiene un shell POSIX (puede que use Windows): {said}',
      next: 'Aun así puedes abrir una terminal y copiar archivos.',
    },
    refused: {
      title: 'La máquina no ejecuta comandos para este usuario',
      text: 'Mostró: {said}',
      next: 'Revisa el shell de inicio de sesión del usuario y los comandos forzados en authorized_keys y sshd_config.',
    },
    silent: {
      title: 'La máquina no ejecuta comandos para este usuario',
      text: 'No mostró nada. Puede que un archivo de inicio abra otro shell, como exec fish en ~/.bashrc.',
      next: 'Haz que los archivos de inicio lo hagan solo en terminales. Si no es eso, revisa el shell de inicio de sesión del usuario y los comandos forzados en authorized_keys y sshd_config.',
    },
    short: '{title}: {said}',
    shortSilent: '{title}. {text}',
  },
  slowLogin: {
    title: 'El inicio de sesión en la máquina es lento',
    text: 'Los archivos de inicio del shell no terminaron en {seconds} s.',
    next: 'Busca comandos lentos en ~/.bashrc o ~/.profile. Wheelhouse lo intentará más tarde.',
  },
  refusedForAWhile: {
    title: 'El servidor bloquea temporalmente este equipo',
    text: 'Los servidores SSH lo hacen tras inicios de sesión fallidos o demasiado frecuentes. Nuevo intento en {duration}.',
  },
  banner: {
    title: 'Esperando a que la máquina acepte el inicio de sesión',
    text: 'Envió un mensaje. Puede que tengas que hacer algo antes.',
    label: 'Mensaje de la máquina',
  },
  loginOutput: 'Salida del inicio de sesión',
  anyway: 'Abrir la terminal de todos modos',
  command: {
    copy: 'Copiar comando SSH',
    unknown: 'Disponible cuando se conozcan el usuario y la dirección.',
  },
  reveal: 'Mostrar',
  revealNamed: 'Mostrar: {what}',
  hideNamed: 'Ocultar: {what}',
  masked: 'oculto',
  edit: 'Editar: {what}',
  save: 'Guardar: {what}',
  cancelEdit: 'Cancelar la edición: {what}',
  reset: 'Restablecer: {what}',
  set: 'definido aquí',
  port: { range: 'Escribe un puerto de 1 a 65535.' },
  identity: {
    automatic: 'Automático',
    choose: 'Elegir un archivo…',
    change: 'Elegir archivo de identidad',
    found: 'En ~/.ssh',
  },
  forwardAgent: {
    default: 'Desactivado',
    defaultOn: 'Activado en esta cuenta',
    on: 'Activado',
    off: 'Desactivado en esta máquina',
    warning:
      'Mientras dure la conexión, cualquiera con acceso root en la máquina puede usar las claves de tu agente para iniciar sesión en otros sitios.',
  },
  hostKey: {
    known: 'de confianza',
    unknown: 'aún sin confirmar',
    unknownHint: 'Se guarda al conectarte por primera vez.',
    title: 'Claves de host',
    text: 'Una clave de host demuestra que una máquina es la misma a la que te conectaste antes. Si cambia, Wheelhouse no se conecta.',
    confirm: 'Preguntar antes de la primera conexión con una máquina',
    confirmText:
      'Wheelhouse muestra la huella digital de la clave de host y solo se conecta cuando confías en ella. Si esta opción está desactivada, la primera clave se acepta y se guarda como clave de confianza. Los alias SSH preguntan en la terminal.',
  },
  changed: {
    title: 'La clave de host de {machine} cambió',
    text: '{host} ofrece ahora una clave distinta de la de tu primera conexión. Wheelhouse no se conectó.',
    harmless: 'Es normal si la máquina se reconstruyó o su dirección se reasignó.',
    harmful:
      'Si no es el caso, alguien podría estar interceptando la conexión. Pregunta al operador de la máquina antes de continuar.',
    known: 'De confianza',
    offered: 'Ofrecida ahora',
    expected: 'Sé por qué cambió la clave',
    action: 'Olvidar la clave anterior',
    done: 'Clave anterior olvidada. La próxima conexión guarda la nueva.',
  },
}
