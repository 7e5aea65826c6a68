import type { Translation } from '../translation'
import type { bareMetal as english } from '../en/bare-metal'

export const bareMetal: Translation<typeof english> = {
  title: 'Bare metal',
  why: 'El servicio no puede listar bare metal. Solo ves las instancias creadas aquí o agregadas por ID.',
  create: 'Nueva instancia',
  add: {
    action: 'Agregar por ID',
    title: 'Agregar una instancia bare metal',
    text: 'Busca el ID en el sitio web del servicio o donde creaste la instancia. Agregarla no cambia nada allí.',
    label: 'ID de la instancia',
    submit: 'Agregar',
    unknown: 'Ninguna instancia bare metal tiene este ID.',
    done: 'Se agregó {instance}',
    already: '{instance} ya está en la lista',
  },
  filter: { label: 'Filtrar bare metal', placeholder: 'Filtrar por nombre, GPU, IP o ID…' },
  selection: 'Instancias seleccionadas',
  columns: {
    name: 'Nombre',
    state: 'Estado',
    gpu: 'GPU',
    region: 'Región',
    address: 'Dirección',
    flavor: 'Tipo',
    uptime: 'En marcha',
  },
  presence: { unread: 'Cargando', gone: 'Eliminada', started: 'Iniciada', preparing: 'Preparándose' },
  loading: 'Cargando bare metal…',
  signedOut: 'Inicia sesión para ver bare metal.',
  empty: {
    title: 'Aún no hay bare metal',
    text: 'Las instancias que crees aquí aparecen automáticamente. Agrega las demás por ID: el servicio no puede listarlas.',
  },
  noMatch: {
    title: 'Ninguna instancia coincide',
    text: 'Sin resultados para “{filter}”.',
    action: 'Mostrar todas las instancias',
  },
  panel: { label: 'Bare metal {instance}', close: 'Cerrar el panel' },
  origin: {
    label: 'Origen',
    created: 'creada aquí {age}',
    added: 'agregada por ID {age}',
    found: 'encontrada en facturación {age}',
  },
  gone: {
    title: 'Esta instancia se eliminó',
    text: 'El servicio no tiene nada con este ID. Quítala de la lista cuando ya no necesites sus detalles.',
  },
  forget: {
    action: 'Quitar de la lista',
    title: '¿Quitar {instance} de la lista?',
    titleMany: '¿Quitar {count} instancia de la lista? | ¿Quitar {count} instancias de la lista?',
    text: 'Solo cambia la lista. Las instancias en marcha siguen en ejecución y se te siguen cobrando.',
    gone: 'Solo se quita de esta lista. El servicio no tiene nada con este ID. | Solo se quitan de esta lista. El servicio no tiene nada con estos ID.',
    ids: 'ID: {ids} | ID: {ids}',
    done: 'Se quitó {instance} de la lista',
  },
  user: {
    title: '¿Con qué usuario inicias sesión?',
    text: 'El servicio no indica ningún nombre de usuario para {machine}. Recordaremos el que escribas.',
    label: 'Usuario',
    hint: 'A menudo ubuntu o root, según la imagen.',
    submit: 'Conectar',
  },
}
