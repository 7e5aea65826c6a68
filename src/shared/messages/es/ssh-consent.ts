import type { Translation } from '../translation'
import type { sshConsent as english } from '../en/ssh-consent'

export const sshConsent: Translation<typeof english> = {
  title: 'SSH en tus máquinas',
  question: '¿Puede Wheelhouse usar SSH en tus máquinas?',
  text: 'Wheelhouse inicia sesión en todas las máquinas de {account}, incluidas las nuevas, con el usuario y la clave que usa tu terminal. Elige qué puede hacer:',
  purposes: {
    gpu: {
      name: 'Supervisión de GPU',
      text: 'Con la máquina en marcha ejecuta solo nvidia-smi (o amd-smi o rocm-smi), además de ps, ls y cat para identificar los programas de sus GPU: cada minuto, y cada pocos segundos mientras la pestaña GPU está abierta. Cada cinco minutos lee también el espacio en disco, la memoria, la carga y los errores de GPU que registra el kernel. Las lecturas se guardan cifradas en este equipo hasta 90 días.',
    },
    services: {
      name: 'Servicios',
      text: 'Busca Jupyter, TensorBoard y otros programas con ss (o /proc/net/tcp) mientras su pestaña está abierta. Los abre por un túnel que solo este equipo puede usar.',
    },
    files: {
      name: 'Archivos',
      text: 'Lista y gestiona archivos por SFTP mientras su pestaña está abierta. Las sumas de comprobación se calculan con openssl o sha256sum, si la máquina los tiene.',
    },
    startup: {
      name: 'Arranque',
      text: 'Intenta conectarse a una máquina que creaste hasta que SSH responde, y después ejecuta cloud-init status cada 10 segundos hasta que termina su configuración. Lee el final del registro de la configuración tras un error y mientras lo tengas abierto.',
    },
    look: {
      name: 'Revisión antes de eliminar',
      text: 'Antes de que detengas o elimines una máquina, lee una sola vez, durante 10 segundos como máximo: repositorios de Git, programas en las GPU, sesiones de tmux y screen, y archivos grandes nuevos. No cambia nada.',
    },
    jobs: {
      name: 'Trabajos',
      text: 'Mientras sigues un trabajo en una máquina, pregunta una vez por minuto si sigue en ejecución y lee el final de su registro cuando termina o cuando lo abres. Solo inicia comandos que tú escribes.',
    },
  },
  hostKeys:
    'No se instala nada. La primera clave de host de cada máquina se acepta y se guarda como clave de confianza, salvo que en Configuración elijas que se pregunte antes.',
  later: 'Puedes cambiarlo en Configuración y, para una máquina, en su pestaña Conexión.',
  give: 'Permitir en todas las máquinas',
  giveHere: 'Solo en esta máquina',
  off: {
    title: '{purpose}: SSH está desactivado para esta máquina',
    text: 'Lo desactivaste para {machine}. Esto no afecta a las demás máquinas.',
    turnOn: 'Activar',
  },
  label: 'Usar SSH para',
  settings: {
    text: 'Se aplica a todas las máquinas de esta cuenta, incluidas las nuevas. Los comandos, terminales, transferencias y puertos reenviados que inicias tú no necesitan permiso. Agregar una regla de firewall tampoco: Wheelhouse pide tu dirección a la máquina por una conexión ya abierta.',
    machineHint: 'Al desactivar la supervisión de GPU se eliminan las lecturas de esta máquina.',
    choose: 'Elegir en Configuración',
  },
  stop: {
    title: '¿Dejar de supervisar las GPU?',
    text: 'Wheelhouse deja de supervisar las máquinas de {account} y elimina de este equipo sus lecturas de GPU.',
    action: 'Dejar de supervisar',
  },
}
