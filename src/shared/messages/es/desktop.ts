import type { Translation } from '../translation'
import type { desktop as english } from '../en/desktop'

export const desktop: Translation<typeof english> = {
  tray: {
    tooltip:
      'Wheelhouse: ninguna máquina en ejecución | Wheelhouse: {count} máquina en ejecución | Wheelhouse: {count} máquinas en ejecución',
    running: '{count} en ejecución | {count} en ejecución',
    perHour: '{amount}/h',
    machine: '{name} ({state})',
    bareMetal: 'bare metal',
    notReachable: '{state}, {reason}',
    disabledReason: { stopped: 'iníciala para conectar', 'no-address': 'esperando una dirección' },
    stateUnknown: 'estado desconocido',
    gpu: 'GPU {percent} %',
    cpu: 'CPU {percent} %',
    soFar: '{amount} hasta ahora',
    stillBilled: '{countdown}, se sigue cobrando',
    deleteInstead: '{countdown}, se sigue cobrando si no se elimina',
    job: '{name} en {machine}',
    actions: 'Acciones',
    show: 'Mostrar en Wheelhouse',
    stop: 'Detener…',
    forward: '{service} de {machine} en {address}',
    signedOut: 'Sesión cerrada. Iniciar sesión…',
    noMachines: 'No hay máquinas',
    more: '{count} más…',
    open: 'Abrir Wheelhouse',
    quit: 'Salir',
  },
  /** Shown once, when the window is closed for the first time. */
  stays: {
    title: 'Wheelhouse sigue en ejecución',
    text: 'Permanece en la bandeja. Ábrelo desde allí o sal de él.',
  },
  /** Asked when the window closes on a desktop that shows no tray icon. */
  unwatched: {
    title: '¿Salir y dejar de vigilar tus límites?',
    text: 'Este escritorio no muestra ningún icono en la bandeja, así que Wheelhouse solo puede comprobar tus límites y recordatorios mientras su ventana está abierta.',
    quit: 'Salir',
    minimize: 'Minimizar',
  },
  /** Shown when the secret's time is over, but only the focused window can clear the clipboard. */
  secretKept: {
    title: 'Un secreto sigue en el portapapeles',
    text: 'Abre Wheelhouse para borrarlo.',
  },
  /** Right click on a field or on selected text. */
  fieldMenu: {
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    selectAll: 'Seleccionar todo',
  },
  menu: { settings: 'Configuración…', view: 'Ver', help: 'Ayuda', guide: 'Guía del usuario' },
  chooseIdentity: { title: 'Elige una clave privada', button: 'Usar esta clave' },
  chooseAuthorities: {
    title: 'Elige un archivo de autoridades de certificación',
    button: 'Confiar en estas',
  },
  chooseTemplate: { title: 'Elegir una plantilla exportada', button: 'Importar' },
  chooseTarget: { title: 'Guardar como' },
  chooseFolder: { title: 'Elige una carpeta para los archivos', button: 'Descargar aquí' },
  chooseUploads: {
    files: 'Elige archivos para subir',
    folder: 'Elige carpetas para subir',
    button: 'Subir',
  },
  settingsNotice: {
    title: 'No se pudo leer tu configuración',
    damaged:
      'El archivo está dañado ({reason}), así que la configuración se restableció. El archivo anterior se guardó como {file}: consulta Configuración.',
    partial:
      'Algunas opciones están dañadas o son de otra versión ({reason}). Permanecen en el archivo, y las demás funcionan. Actualiza Wheelhouse o edita el archivo.',
    unreadable:
      'Error del sistema: {reason}. Tu archivo de configuración no se cambiará hasta que se corrija.',
  },
  startFailed: { title: 'Wheelhouse no pudo iniciarse' },
  keepsCrashing: {
    title: 'Esta ventana falla una y otra vez',
    text: 'Tus máquinas siguen en ejecución. Vuelve a abrir la ventana, o sal y reinicia Wheelhouse.',
    again: 'Abrir de nuevo',
    quit: 'Salir',
  },
  noSandbox: {
    title: 'Wheelhouse no puede ejecutarse aquí de forma segura',
    text: 'Este sistema no permite que una AppImage aísle su ventana (sandbox de Chromium). Instala el paquete deb o rpm, o permite los espacios de nombres de usuario.',
  },
  readOnly: {
    title: 'Wheelhouse no puede escribir en su carpeta',
    text: 'No se puede guardar nada en {folder}. Da permiso de escritura en la carpeta o quita la protección contra escritura del disco, y vuelve a iniciar Wheelhouse.',
  },
  /** Before the application quits during transfers. */
  quitWithWork: {
    title: '¿Salir y detener {count} elemento en curso? | ¿Salir y detener {count} elementos en curso?',
    upload: 'Transferencia: {name} a {machine}',
    download: 'Transferencia: {name} desde {machine}',
    terminal: 'Terminal: {machine}',
    forward: 'Puerto reenviado: {port} de {machine}',
    more: 'y {count} más',
    transfersText: 'Las copias parciales se eliminarán.',
    terminalsText:
      'Las sesiones terminan, junto con los programas en primer plano. Las sesiones persistentes siguen en ejecución.',
    forwardsText: 'Los programas que usan un puerto reenviado pierden la conexión.',
    quit: 'Salir y detener',
    keep: 'Seguir',
  },
  sshFailed: { title: 'No se pudo conectar con {machine}' },
}
