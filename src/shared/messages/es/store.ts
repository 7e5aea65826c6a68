import type { Translation } from '../translation'
import type { store as english } from '../en/store'

export const store: Translation<typeof english> = {
  title: 'Datos locales',
  text: 'Extractos, consumo, límites, notas, nombres e historial de máquinas, cifrados con una clave de tu llavero.',
  state: 'Estado',
  reason: 'Error del sistema: {reason}',
  quarantined: {
    title: 'No se pudieron leer los datos locales',
    text: 'Están dañados o son de otra versión de Wheelhouse. El archivo se movió a {file} y se creó uno nuevo. Los extractos y el consumo se vuelven a cargar desde el servicio. Los datos que solo se guardan aquí, como la carga anterior, se pierden.',
  },
  states: {
    opening: { short: 'Aún sin abrir' },
    open: { short: 'Cifrados' },
    'no-keychain': {
      short: 'En memoria hasta que salgas',
      title: 'El historial no se guarda: llavero no disponible',
      text: 'Wheelhouse solo guarda datos privados cifrados, con una clave de tu llavero. Sin ella, los datos quedan en memoria y se pierden al salir.',
    },
    locked: {
      short: 'Esperando al llavero',
      title: 'Desbloquea tu llavero para abrir los datos locales',
      text: 'Tus datos están a salvo y se abren automáticamente cuando se desbloquee el llavero. Hasta entonces, los datos nuevos quedan en memoria.',
    },
    'key-lost': {
      short: 'Clave perdida',
      title: 'No se pueden abrir los datos locales: se perdió su clave',
      text: 'Tu llavero ya no tiene la clave del archivo. Restaura el llavero para abrirlo o crea un archivo nuevo: el anterior se conserva.',
    },
    damaged: {
      short: 'Dañados',
      title: 'No se pueden leer los datos locales',
      text: 'Están dañados o son de otra versión de Wheelhouse. Reinicia Wheelhouse para apartar el archivo y crear uno nuevo. Hasta entonces, los datos nuevos quedan en memoria.',
    },
    'disk-full': {
      short: 'Disco lleno',
      title: 'Disco lleno: no se guarda nada nuevo',
      text: 'Los datos guardados siguen disponibles. Libera espacio y Wheelhouse continuará automáticamente.',
    },
    unsupported: {
      short: 'No se admite en este equipo',
      title: 'El historial no se guarda en este equipo',
      text: 'La base de datos local no funciona aquí. Todo lo demás funciona, pero los costos anteriores se desconocen.',
    },
    failed: {
      short: 'No se pueden abrir',
      title: 'No se pudieron abrir los datos locales',
      text: 'El archivo no ha cambiado. Hasta que se abra, los datos nuevos quedan en memoria.',
    },
  },
  quarantine: {
    title: 'Archivos antiguos',
    text: 'Archivos que no se pudieron leer. Guarda lo que aún necesites y elimina el resto.',
    settings: 'Configuración',
    database: 'Base de datos cifrada',
    size: '{count} KB',
    mayHoldRemovedAccounts: 'Puede contener datos de una cuenta que quitaste',
    uncleared:
      'No se pudieron borrar los datos de {account} de archivos antiguos: {files}. Elimínalos en Configuración, en Datos locales.',
    save: 'Guardar…',
    saveOne: 'Guardar {name}',
    delete: 'Eliminar',
    deleteOne: 'Eliminar {name}',
    confirm: { title: '¿Eliminar {name}?', text: 'El archivo se elimina permanentemente.' },
    saved: 'Guardado como {file}',
  },
  retry: 'Reintentar',
  startAfresh: 'Crear un archivo nuevo',
  ledger: {
    reading: 'Cargando extractos: {known} de {total}.',
    readingSome: 'Cargando extractos: {known} hasta ahora.',
    waiting: 'Extractos incompletos: {known} de {total} cargados.',
    waitingSome: 'Extractos incompletos: {known} cargados hasta ahora.',
    text: 'Hasta entonces, los costos anteriores están incompletos.',
    label: 'Extractos cargados',
    kept: '{known} extractos',
    keptAge: '{known} extractos, actualizados {age}',
  },
}
