import type { Translation } from '../translation'
import type { machineActions as english } from '../en/machine-actions'

export const machineActions: Translation<typeof english> = {
  menu: 'Acciones de {machine}',
  actions: {
    start: 'Iniciar',
    stop: 'Detener',
    reboot: 'Reiniciar',
    delete: 'Eliminar',
  },
  menuItems: {
    start: 'Iniciar…',
    stop: 'Detener…',
    reboot: 'Reiniciar…',
    delete: 'Eliminar…',
    run: 'Ejecutar un comando…',
    like: 'Crear otra igual',
    template: 'Guardar como plantilla…',
    tag: 'Etiquetas, notas y recordatorios',
  },
  why: {
    'not-offered': 'Este servicio no lo admite.',
    start: 'Ya está en ejecución.',
    stop: 'Ya está detenida.',
    'not-now': 'No disponible en este estado ({status}).',
    'none-reachable': 'Ahora no se puede acceder a ninguna de estas máquinas.',
    'too-many': 'Puedes ejecutar un comando en {count} máquinas como máximo.',
  },
  confirm: {
    start: {
      title: '¿Iniciar {machine}?',
      titleMany: '¿Iniciar {count} máquina? | ¿Iniciar {count} máquinas?',
    },
    stop: {
      title: '¿Detener {machine}?',
      titleMany: '¿Detener {count} máquina? | ¿Detener {count} máquinas?',
    },
    reboot: {
      title: '¿Reiniciar {machine}?',
      titleMany: '¿Reiniciar {count} máquina? | ¿Reiniciar {count} máquinas?',
    },
    delete: {
      title: '¿Eliminar {machine}?',
      titleMany: '¿Eliminar {count} máquina? | ¿Eliminar {count} máquinas?',
    },
  },
  text: {
    start: 'Podrás conectarte cuando esté en ejecución.',
    stop: 'Mientras esté detenida, se te sigue cobrando. Solo eliminarla pone fin a su costo. Los programas en ejecución se interrumpen.',
    reboot: 'Los programas en ejecución se interrumpen.',
    delete:
      'La máquina y todo lo que hay en sus discos se eliminan permanentemente. Los volúmenes asociados se conservan y se siguen cobrando.',
  },
  textMany: {
    start: 'Podrás conectarte cuando estén en ejecución.',
    stop: 'Mientras estén detenidas, se te siguen cobrando. Solo eliminarlas pone fin a su costo. Los programas en ejecución se interrumpen.',
    reboot: 'Los programas en ejecución se interrumpen.',
    delete:
      'Las máquinas y todo lo que hay en sus discos se eliminan permanentemente. Los volúmenes asociados se conservan y se siguen cobrando.',
  },
  unknown: {
    start:
      'Es posible que el servicio no permita iniciar esta máquina. | Es posible que el servicio no permita iniciar estas máquinas.',
    stop: 'Es posible que el servicio no permita detener esta máquina. | Es posible que el servicio no permita detener estas máquinas.',
    reboot:
      'Es posible que el servicio no permita reiniciar esta máquina. | Es posible que el servicio no permita reiniciar estas máquinas.',
    delete:
      'Es posible que el servicio no permita eliminar esta máquina. | Es posible que el servicio no permita eliminar estas máquinas.',
  },
  typeName: 'Escribe {machine} para eliminarla',
  skipped: { running: 'ya en ejecución', stopped: 'no en ejecución', moving: 'cambiando de estado' },
  lost: 'Se perderán {size} GB en disco.',
  toast: {
    start: 'Iniciando {machine}',
    stop: 'Deteniendo {machine}. Se te sigue cobrando.',
    reboot: 'Reiniciando {machine}',
    delete: 'Se eliminó {machine}',
  },
  selection: {
    label: 'Máquinas seleccionadas',
  },
  gone: {
    one: '{machine} ya no existe en el servicio.',
    many: '{machines} ya no existen en el servicio.',
  },
}
