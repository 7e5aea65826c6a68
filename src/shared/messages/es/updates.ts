import type { Translation } from '../translation'
import type { updates as english } from '../en/updates'

export const updates: Translation<typeof english> = {
  label: 'Actualizaciones',
  off: {
    checkout: 'Desactivadas: Wheelhouse se ejecuta desde su código fuente',
    'test-build': 'Desactivadas en las versiones de prueba',
    package: 'Actualiza Wheelhouse como lo instalaste: con tu gestor de paquetes o con una descarga nueva',
    'no-feed': 'Desactivadas: esta versión no tiene servidor de actualizaciones',
  },
  unchecked: 'Aún sin comprobar',
  current: 'Al día, comprobado {age}',
  checking: 'Comprobando…',
  available: 'La versión {version} está disponible',
  downloading: '{percent} % de la versión {version} descargado',
  ready: 'La versión {version} está lista para instalarse',
  held: {
    creation: 'Se está creando una máquina. Reinicia cuando termine.',
    transfers: 'Se están copiando archivos. Reinicia cuando termine o cancela esas transferencias.',
  },
  notes: 'Novedades',
  check: 'Buscar actualizaciones',
  download: 'Descargar',
  skip: 'Omitir esta versión',
  restart: 'Reiniciar para actualizar…',
  automatic: 'Búsqueda automática',
  automaticText: 'Buscar actualizaciones una vez al día',
  failed: {
    unreachable: {
      title: 'No se pudo descargar la actualización',
      next: 'Revisa tu red y el proxy en Configuración > Red, y vuelve a intentarlo.',
    },
    'no-release': {
      title: 'El servidor de actualizaciones no tiene ninguna versión',
      next: 'Vuelve a intentarlo más tarde.',
    },
    damaged: {
      title: 'La actualización estaba dañada',
      next: 'No coincide con su suma de comprobación o su firma, así que no se instaló nada. Vuelve a intentarlo más tarde.',
    },
    'not-installed': {
      title: 'No se pudo instalar la actualización',
      next: 'Esta versión sigue funcionando. Comprueba que puedas escribir en la carpeta de Wheelhouse y que haya espacio en el disco.',
    },
    unknown: {
      title: 'La actualización falló',
      next: 'Esta versión sigue funcionando. Vuelve a intentarlo más tarde.',
    },
    reason: 'Motivo: {reason}',
  },
  dialog: {
    title: '¿Reiniciar para actualizar a la versión {version}?',
    text: 'Wheelhouse se cierra y se vuelve a abrir con la versión nueva. Las sesiones SSH de tu terminal siguen abiertas.',
    unsaved: 'Esta página tiene cambios sin guardar. Guárdalos o restablécelos antes de reiniciar.',
    action: 'Reiniciar',
  },
  notice: {
    available: 'Actualización disponible',
    ready: 'Reiniciar para actualizar',
  },
}
