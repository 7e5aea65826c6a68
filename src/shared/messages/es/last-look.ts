import type { Translation } from '../translation'
import type { lastLook as english } from '../en/last-look'

export const lastLook: Translation<typeof english> = {
  attempt: 'Revisión de la máquina',
  title: { stop: 'Qué se interrumpiría', delete: 'Qué se perdería' },
  looking: 'Revisando {machine}…',
  again: 'Revisar de nuevo',
  terminal: 'Abrir terminal',
  download: 'Descargar',
  downloadNamed: 'Descargar {name}',
  downloading: 'Descargando {name}',
  terminalFor: 'Abrir terminal para {name}',
  push: {
    title: 'Hacer push de {path}',
    open: 'Hacer push de {name}…',
    reading: 'Leyendo ramas y remotos…',
    branch: 'Rama',
    commits: '{branch}: {count} commit sin push | {branch}: {count} commits sin push',
    to: 'A {branch} en {remote}: {url}',
    command: 'Comando de push',
    text: 'Se ejecuta una vez en {machine} como trabajo, sin forzar y sin pedir contraseña. Después se vuelve a revisar aquí mismo. Hacer push permite que Wheelhouse siga trabajos en esta máquina por SSH.',
    action: 'Hacer push',
    none: 'Ninguna rama con commits sin push tiene un remoto. Abre una terminal para agregar uno.',
    unread: 'No se pudieron leer las ramas: {reason}',
  },
  nothing: {
    stop: 'No hay programas en las GPU ni sesiones de tmux o screen.',
    delete:
      'No hay trabajo de Git sin guardar, programas en las GPU, sesiones ni archivos grandes nuevos. Otros archivos no se revisaron.',
  },
  nothingFound: 'No se encontró nada en la parte que se pudo leer.',
  clean:
    '{count} repositorio más no tiene trabajo sin guardar. | {count} repositorios más no tienen trabajo sin guardar.',
  failed: 'No se pudo revisar {machine}: {reason}',
  unsafe: 'Se desconoce qué se perdería.',
  consent: {
    text: {
      stop: 'Wheelhouse puede buscar antes por SSH programas y sesiones en ejecución. No cambia nada en la máquina.',
      delete:
        'Wheelhouse puede buscar antes por SSH trabajo de Git, programas en ejecución, sesiones y archivos grandes nuevos. Lee los repositorios de la carpeta personal y de los volúmenes durante 10 segundos como máximo, y no cambia nada.',
    },
    everywhere: 'Permitir en todas las máquinas',
    here: 'Solo en esta máquina | Solo en estas máquinas',
  },
  repository: {
    changes: '{count} cambio sin commit | {count} cambios sin commit',
    unpushed: '{count} commit sin push | {count} commits sin push',
    tagged: '{count} commit solo en etiquetas | {count} commits solo en etiquetas',
    stashes: '{count} stash | {count} stashes',
    unread: 'no se pudo leer: {reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'En las GPU',
    sessions: 'Sesiones',
    files: 'Archivos grandes del último día | Archivos grandes de los últimos {count} días',
    gaps: 'Sin leer',
  },
  process: 'Proceso {pid}',
  processes: '{count} procesos',
  file: '{size}, escrito {time}',
  mount: 'en {mount}, que puede ser un volumen asociado',
  more: 'y {count} más',
  parts: {
    git: 'Git',
    files: 'Archivos',
    gpus: 'GPU',
    tmux: 'tmux',
    screen: 'screen',
    answer: 'Respuesta de la máquina',
  },
  problems: {
    'out-of-time': 'no hubo tiempo suficiente',
    'not-installed': 'el programa no está instalado',
    'not-searched': 'sin revisar: {path}',
    'too-many': 'hay demasiados elementos',
    'too-long': 'la respuesta es demasiado larga',
    'odd-name': 'no se pudo leer un nombre',
    'cut-off': 'la respuesta está incompleta',
  },
}
