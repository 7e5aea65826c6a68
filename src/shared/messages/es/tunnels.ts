import type { Translation } from '../translation'
import type { tunnels as english } from '../en/tunnels'

export const tunnels: Translation<typeof english> = {
  tab: 'Servicios',
  looking: 'Buscando servicios…',
  listening: 'A la escucha en la máquina',
  more: 'Solo se muestran los primeros {count}.',
  other: 'Otro programa',
  port: 'Puerto {port}',
  empty: {
    title: 'No se encontraron servicios',
    text: 'En esta máquina solo escucha SSH. Los programas aparecen aquí cuando se inician.',
  },
  notUnderstood: {
    title: 'No se pudieron listar los servicios',
    text: 'La máquina no tiene ss, y /proc/net/tcp no se puede leer.',
    next: 'Aun así puedes reenviar un puerto por su número.',
  },
  noAnswer: {
    title: 'La máquina no respondió',
    text: 'No hubo lista de servicios en {seconds} s.',
    next: 'Wheelhouse sigue intentándolo mientras esta pestaña está abierta.',
  },
  notRunning: {
    title: 'La máquina no está en ejecución',
    text: 'Los servicios aparecen cuando se inicie.',
  },
  hostKey: {
    title: 'Clave de host sin confirmar',
    text: 'La clave de host de la máquina no está confirmada, así que Wheelhouse no se conectó.',
    next: 'Vuelve a intentarlo y confirma la clave, o conéctate antes en una terminal.',
  },
  waiting: 'Conexión perdida. Próximo intento en {duration}.',
  forward: 'Reenviar',
  forwardPort: 'Reenviar un puerto',
  portLabel: 'Puerto en la máquina',
  forwardText:
    'Abre el puerto {port} de la máquina en 127.0.0.1:{port} de este equipo. Si ese puerto está ocupado, se usa el siguiente libre.',
  open: 'Abrir',
  openNamed: 'Abrir {service} en el navegador',
  stop: 'Detener',
  stopNamed: 'Dejar de reenviar {service}',
  opened: 'Abriendo {service} en tu navegador',
  forwarded: '{service} está en {address}',
  forwards: {
    title: 'Puertos reenviados',
    text: 'Solo puede usarlos este equipo. Terminan al salir o cerrar sesión. Los reenvíos detenidos siguen detenidos.',
  },
  save: 'Volver a abrir en cada inicio',
  connect: 'Conectar',
  moved: 'El puerto {port} no está libre en este equipo.',
  state: {
    connecting: 'Conectando…',
    unanswered: 'Nada responde en el puerto {port} de la máquina.',
    prohibited: 'El servidor SSH no permite el reenvío a este puerto (AllowTcpForwarding y PermitOpen).',
    'not-running': 'Esperando a que la máquina esté en ejecución.',
    unasked: 'No se pudo iniciar sesión sin preguntarte. Elige Conectar para continuar.',
    'host-key-unknown': 'Clave de host sin confirmar. Conéctate antes en una terminal.',
  },
  tooMany: 'Hay {count} puertos reenviados. Detén uno primero.',
  noBrowser: 'No se pudo abrir ningún navegador.',
  address: 'Dirección',
}
