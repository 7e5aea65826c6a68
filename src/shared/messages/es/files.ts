import type { Translation } from '../translation'
import type { files as english } from '../en/files'

export const files: Translation<typeof english> = {
  tab: 'Archivos',
  action: {
    list: 'Listado de archivos',
    makeFolder: 'Creación de la carpeta',
    rename: 'Cambio de nombre',
    delete: 'Eliminación',
    download: 'Descarga',
    upload: 'Subida',
  },
  notRunning: {
    title: 'La máquina no está en ejecución',
    text: 'Los archivos aparecen cuando se inicie.',
  },
  loading: 'Cargando archivos…',
  path: 'Carpeta',
  columns: { name: 'Nombre', size: 'Tamaño', modified: 'Modificado' },
  kind: { folder: 'Carpeta', link: 'Enlace', other: 'Dispositivo o tubería', file: 'Archivo' },
  list: 'Archivos en {folder}',
  empty: { title: 'La carpeta está vacía', text: 'Suelta archivos aquí para subirlos.' },
  onlyHidden: 'Solo archivos ocultos',
  cut: 'Solo se muestran los primeros {count}.',
  unreadable: 'Su nombre no es texto válido, así que no puedes usarlo aquí.',
  selected: 'Selección: {count} de {total}',
  drop: 'Suelta para subir a {folder}',
  dropWaits: 'La subida empieza cuando se abra la carpeta.',
  actions: {
    more: 'Más',
    parent: 'Carpeta superior',
    refresh: 'Actualizar',
    upload: 'Subir',
    uploadFiles: 'Subir archivos…',
    uploadFolder: 'Subir carpeta…',
    newFolder: 'Nueva carpeta…',
    showHidden: 'Mostrar archivos ocultos',
    hideHidden: 'No mostrar archivos ocultos',
    download: 'Descargar…',
    rename: 'Renombrar…',
    delete: 'Eliminar…',
  },
  newFolder: { title: 'Nueva carpeta', name: 'Nombre', action: 'Crear carpeta' },
  rename: { title: 'Renombrar {name}', name: 'Nombre nuevo', action: 'Renombrar' },
  delete: {
    title: '¿Eliminar {name}? | ¿Eliminar {count} elementos?',
    files: 'Esto no se puede deshacer.',
    folders: 'Las carpetas se eliminan con todo su contenido. Esto no se puede deshacer.',
    action: 'Eliminar',
  },
  links: {
    title: '{count} enlace no se sigue | {count} enlaces no se siguen',
    text: 'Los enlaces que apuntan fuera de la carpeta, a nada o de vuelta a ella no se siguen, y sus destinos no se copian: {names}.',
    copyHint:
      'Un enlace copiado apunta a la misma ruta en {receiver}, donde puede haber otra cosa. Un enlace de vuelta a la carpeta apunta dentro de la copia.',
    here: 'este equipo',
    always: 'Hacer esto siempre. Puedes cambiarlo en Configuración.',
    copy: 'Copiar como enlaces',
    skip: 'Omitir',
  },
  taken: {
    title: '{name} ya existe',
    file: {
      upload: 'En {machine} ya hay un archivo con este nombre en esta carpeta.',
      download: 'En este equipo ya hay un archivo con este nombre en esta carpeta.',
    },
    folder: {
      upload: 'En {machine} ya hay una carpeta con este nombre en esta carpeta.',
      download: 'En este equipo ya hay una carpeta con este nombre en esta carpeta.',
    },
    replaces: {
      file: 'El archivo anterior se elimina cuando la copia está completa.',
      folder: 'La carpeta anterior, con todo su contenido, se elimina cuando la copia está completa.',
    },
    compared: {
      existing: 'Existente',
      copied: 'Nuevo',
      size: '{size} ({count} bytes)',
      newer: 'Más reciente',
      unknown: 'Fecha desconocida',
    },
    forAll: {
      file: 'Hacer lo mismo con {count} archivo más | Hacer lo mismo con {count} archivos más',
      folder: 'Hacer lo mismo con {count} carpeta más | Hacer lo mismo con {count} carpetas más',
    },
    replace: 'Reemplazar',
    keepBoth: 'Conservar ambos',
    skip: 'Omitir',
    cancel: 'Cancelar transferencia',
  },
  nameProblem: 'Usa un nombre sin “/” y que no sea “.” ni “..”.',
  transfers: {
    title: 'Transferencias',
    percent: '{value} %',
    summary: {
      running:
        '{count} transferencia en curso, completas: {done} | {count} transferencias en curso, completas: {done}',
      failed: '{count} transferencia fallida | {count} transferencias fallidas',
      ended: '{count} transferencia terminada | {count} transferencias terminadas',
    },
    clear: 'Quitar terminadas',
    download: 'Descarga',
    upload: 'Subida',
    others: '{name} y {count} más | {name} y {count} más',
    waiting: 'Esperando la conexión…',
    counting: '{count} archivo encontrado… | {count} archivos encontrados…',
    asking: 'Esperando tu respuesta…',
    running: '{done} de {total}',
    rate: '{rate}/s',
    stalled: 'Sin avance: no llegan datos',
    left: 'quedan {duration}',
    files: '{done} de {total} archivos',
    verifying: 'Comparando sumas de comprobación…',
    done: {
      checksum: 'Completa, las sumas de comprobación coinciden',
      size: 'Completa, los tamaños coinciden',
      changed: '{count} archivo cambió durante la copia | {count} archivos cambiaron durante la copia',
      none: 'No se copió ningún archivo',
      skipped:
        'Se omitió {count} archivo especial o eliminado | Se omitieron {count} archivos especiales o eliminados',
      links:
        'Se omitió {count} enlace porque apunta fuera de la carpeta, a nada o de vuelta a ella: {names} | Se omitieron {count} enlaces porque apuntan fuera de la carpeta, a nada o de vuelta a ella: {names}',
      linksFailed:
        'No se pudo copiar {count} enlace ({names}): {reason} | No se pudieron copiar {count} enlaces ({names}): {reason}',
      linksCopied: 'Se copió {count} enlace como enlace | Se copiaron {count} enlaces como enlaces',
      kept: '{count} sin copiar porque ya existe | {count} sin copiar porque ya existen',
      renamed: '{count} con otro nombre',
      modesRefused:
        'No se pudieron definir los permisos de {count} elemento | No se pudieron definir los permisos de {count} elementos',
      timesRefused:
        'No se pudo definir la fecha de modificación de {count} elemento | No se pudo definir la fecha de modificación de {count} elementos',
      left: 'No se pudieron eliminar los elementos reemplazados: {names}',
    },
    cancelled: 'Cancelada',
    notRemoved: 'No se pudieron eliminar las copias parciales: {names}. Elimínalas tú.',
    cancelNamed: 'Cancelar {name}',
    resume: 'Reintentar',
    show: 'Mostrar en la carpeta',
    dismiss: 'Descartar {name}',
    progress: 'Progreso de {name}',
  },
  bytes: { B: '{value} B', kB: '{value} kB', MB: '{value} MB', GB: '{value} GB', TB: '{value} TB' },
  problem: {
    'no-such-file': 'La máquina no tiene ningún archivo ni carpeta con este nombre.',
    'permission-denied': 'Tu usuario en la máquina no tiene permiso.',
    unsupported: 'La máquina no lo admite.',
    failure: 'La máquina lo rechazó sin dar ningún motivo.',
    said: 'La máquina dice: {said}',
    unnamed:
      'La copia está completa, pero la máquina no la renombró. Está en {part}. Renómbrala en una terminal antes de descartar esta transferencia: al descartarla se elimina la copia. {reason}',
    unnamedMoved:
      'La copia está completa, pero la máquina no la renombró. Está en {part}, y el elemento anterior está en {aside}. Renombra la copia en una terminal antes de descartar esta transferencia: al descartarla se elimina la copia. {reason}',
    linkUnreadable: 'No se pudo leer el enlace.',
    malformed: 'La máquina envió una respuesta inesperada.',
    lost: 'Se perdió la conexión.',
    'no-sftp': 'La máquina no admite SFTP.',
    printed:
      'La máquina mostró “{line}” en lugar de iniciar SFTP. Revisa el nombre de usuario en la pestaña Conexión. Si es correcto, cambia el archivo de inicio o el comando forzado de la máquina para que solo muestre texto en terminales.',
    sessions:
      'El servidor SSH de la máquina no permite más sesiones en esta conexión (MaxSessions). Espera a que termine una transferencia y vuelve a intentarlo.',
    'too-many': 'Hay demasiados archivos o carpetas.',
    'not-all':
      'Contiene más elementos de los que Wheelhouse puede listar, o nombres que no son texto válido, así que no se eliminó nada. Elimínalo en una terminal.',
    checksum:
      'Las sumas de comprobación de {count} archivo y su copia difieren. Vuelve a intentarlo. | Las sumas de comprobación de {count} archivos y sus copias difieren. Vuelve a intentarlo.',
    checksumAgain:
      'Las sumas de comprobación de {count} archivo y su copia siguen difiriendo. Algo cambia uno de los dos, o un disco está defectuoso: compáralos en una terminal. | Las sumas de comprobación de {count} archivos y sus copias siguen difiriendo. Algo los cambia, o un disco está defectuoso: compáralos en una terminal.',
    size: 'La copia tiene un tamaño distinto. Vuelve a intentarlo.',
  },
}
