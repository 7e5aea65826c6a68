import type { Translation } from '../translation'
import type { endRules as english } from '../en/end-rules'

export const endRules: Translation<typeof english> = {
  attempt: 'Guardado del fin automático',
  title: 'Fin automático',
  notice: 'Fin automático',
  hint: 'Este equipo debe estar activo y Wheelhouse en ejecución. Si llega la hora y no es así, Wheelhouse pregunta después en lugar de actuar.',
  arm: 'Fin automático…',
  change: 'Cambiar…',
  dialog: {
    title: 'Fin automático de {machine}',
    action: 'Acción',
    when: 'Cuándo',
    stop: 'Detener',
    delete: 'Eliminar',
    kinds: {
      at: 'A una hora',
      after: 'Tras unas horas',
      idle: 'Si está inactiva',
      budget: 'Por presupuesto',
      job: 'Tras un trabajo',
    },
    time: 'Hora',
    idleHours: 'Horas sin trabajo de GPU',
    budget: 'Presupuesto en {currency}, desde la creación de la máquina',
    stillBilled: 'Detener no pone fin al cobro: una máquina detenida cuesta lo mismo.',
    recommended:
      'Detener no pone fin al cobro: una máquina detenida cuesta lo mismo. Para poner fin al costo, selecciona Eliminar.',
    idle: 'Solo cuentan las lecturas de las GPU: una máquina sin supervisar nunca se detiene ni se elimina por inactividad.',
    job: 'Trabajo',
    jobText: 'También se aplica si el trabajo falla. Si no se puede saber si terminó, Wheelhouse pregunta.',
    budgetText:
      'Los costos solo se conocen en la medida en que el servicio los indica. Con costos desconocidos, no se detiene ni se elimina nada.',
    look: 'Antes de eliminar, Wheelhouse busca por SSH trabajo sin guardar. Si lo encuentra, o no puede revisarlo todo, conserva la máquina y te avisa. Al activar la eliminación, permites esta revisión en {machine}.',
    lookBeforeStop: 'Revisar {machine} por SSH antes de detenerla',
    lookBeforeStopText:
      'La máquina se detiene aunque haya programas en marcha, y sin revisión si no la permites.',
    noPrice: 'El costo de esta máquina es desconocido, así que no se puede usar un presupuesto.',
    armStop: 'Activar detención',
    armDelete: 'Activar eliminación',
    invalidHours: 'Escribe de 0,5 a 8784 horas.',
    invalidBudget: 'Escribe un importe mayor que el costo acumulado.',
  },
  armed: {
    at: { stop: 'Se detiene el {time}', delete: 'Se elimina el {time}' },
    idle: {
      stop: 'Se detiene tras {duration} de inactividad',
      delete: 'Se elimina tras {duration} de inactividad',
    },
    job: { stop: 'Se detiene al terminar {name}', delete: 'Se elimina al terminar {name}' },
    budget: { stop: 'Se detiene al costar {amount}', delete: 'Se elimina al costar {amount}' },
  },
  soon: { stop: 'Se detiene en {duration}', delete: 'Se elimina en {duration}' },
  ending: { stop: 'Deteniendo…', delete: 'Revisando antes de eliminar…' },
  agent: 'Programado por el agente {agent}',
  jobUnseen:
    'Wheelhouse no puede seguir trabajos en esta máquina, así que no ve el final. Permítelo en la pestaña Trabajos.',
  needsYou: { stop: 'No se detuvo', delete: 'No se eliminó' },
  heldTitle: { stop: 'No se detuvo automáticamente', delete: 'No se eliminó automáticamente' },
  held: {
    loss: 'Hay trabajo que se perdería. Revísalo en el diálogo Eliminar.',
    incomplete: 'No se pudo leer todo en la máquina, así que puede haber trabajo sin guardar.',
    'no-look': 'No se pudo acceder a la máquina por SSH, así que puede haber trabajo sin guardar.',
    'no-consent': 'Wheelhouse no tiene permiso para revisar la máquina antes de eliminarla.',
    missed: 'La hora pasó mientras este equipo estaba suspendido o Wheelhouse estaba cerrado.',
    unknown: 'La solicitud se envió, pero se desconoce su resultado. No se vuelve a enviar automáticamente.',
    changing: 'La máquina estaba cambiando de estado.',
    'not-saved': 'La regla no se pudo guardar, así que no se envió nada.',
    'job-lost': 'El trabajo ya no se puede seguir, así que se desconoce su fin.',
    failed: 'El servicio lo rechazó o no se pudo acceder a él.',
  },
  extend: 'Aplazar 1 hora',
  keep: { stop: 'No detener', delete: 'Conservar máquina' },
  now: { stop: 'Detener ahora', delete: 'Eliminar ahora' },
  set: 'Fin automático activado en {machine}',
  dropped: 'Se conserva {machine}',
  unseen: {
    stop: 'Wheelhouse no puede revisar {machine} por SSH ahora. Se detendrá de todos modos.',
    delete:
      'Wheelhouse no puede revisar {machine} por SSH ahora. Mientras siga así, no se elimina automáticamente.',
  },
  notices: {
    warning: {
      stop: '{machine} se detendrá a las {time}',
      delete: '{machine} se eliminará a las {time}',
    },
    warningText: {
      stop: 'Abre Wheelhouse para aplazarlo, cancelarlo o detenerla ahora. Mientras esté detenida, se sigue cobrando.',
      delete: 'Abre Wheelhouse para aplazarlo, conservarla o eliminarla ahora.',
    },
    held: { stop: 'No se detuvo {machine}', delete: 'No se eliminó {machine}' },
    ended: { stop: 'Se detuvo {machine}', delete: 'Se eliminó {machine}' },
    endedText: {
      stop: 'Mientras esté detenida, se te sigue cobrando.',
      delete: 'Los volúmenes asociados se conservan y se siguen cobrando.',
    },
    unseen: {
      unreachable:
        'Antes no se pudo acceder a la máquina por SSH, así que se desconoce qué se estaba ejecutando.',
      'not-allowed':
        'Wheelhouse no tiene permiso para revisar la máquina, así que se desconoce qué se estaba ejecutando.',
    },
  },
}
