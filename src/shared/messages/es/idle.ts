import type { Translation } from '../translation'
import type { idle as english } from '../en/idle'

export const idle: Translation<typeof english> = {
  label: 'Inactividad',
  unmeasured: {
    label: 'Sin comprobar',
    check: 'Sin comprobar. Comprobar ahora: {name}',
    hint: 'El uso de sus GPU no se midió. Comprobar ahora',
  },
  mark: {
    idle: 'Inactiva {duration}',
    held: 'Inactiva {duration}',
    'barely-used': 'Casi sin uso {duration}',
    'cpu-idle': 'CPU inactiva {duration}',
  },
  hint: {
    idle: 'GPU inactivas desde: {time}.',
    held: 'GPU inactivas, con memoria retenida, desde: {time}.',
    'barely-used': 'GPU ocupadas, pero casi sin uso, desde: {time}.',
    'cpu-idle': 'CPU inactiva desde: {time}. Las GPU no se supervisan, así que pueden estar ocupadas.',
    unreported:
      'CPU inactiva desde: {time}. La supervisión no indica el uso de las GPU, así que pueden estar ocupadas.',
  },
  cost: '{cost} desperdiciados hasta ahora.',
  spent: '{cost} desde entonces.',
  tray: {
    idle: '{state}, inactiva {duration}',
    held: '{state}, inactiva {duration}',
    'barely-used': '{state}, casi sin uso {duration}',
    'cpu-idle': '{state}, CPU inactiva {duration}',
  },
  trayCost: '{text}, {cost}',
  notice: {
    idle: 'GPU inactivas desde hace {duration}',
    held: 'GPU inactivas desde hace {duration}',
    'barely-used': 'GPU ocupadas desde hace {duration}, pero casi sin uso',
    'cpu-idle': 'CPU inactiva desde hace {duration}; uso de GPU sin medir',
    holding:
      'Memoria retenida: {memory} desde hace {duration}. Una GPU consume más energía mientras un programa retiene su memoria.',
    holdingPower:
      'Memoria retenida: {memory} desde hace {duration}. Consumo de la GPU mientras tanto: {power} en lugar de {idle}.',
    holdingBy: 'Retenida por {processes}.',
    holder: '{name} ({pid})',
    barely:
      'Se usaba menos del 5 % de los núcleos, el ancho de banda de memoria y los motores de video de cada GPU.',
    barelyByPower:
      'Estimado a partir de la potencia: cada GPU consumió apenas más que sin trabajo y sus motores de vídeo casi no se usaron.',
    cost: '{cost} desperdiciados hasta ahora, a {perHour} por hora.',
    spent: '{cost} desde entonces, a {perHour} por hora.',
    check: 'Activa la supervisión de GPU para ver si las GPU trabajan.',
    unreported:
      'La supervisión de GPU está activada, pero las GPU no indican su uso. La pestaña GPU muestra el motivo.',
    stop: 'Se te cobra hasta que la elimines, aunque esté detenida.',
    elsewhere:
      'Se te cobra hasta que la elimines, aunque esté detenida. Elimínala en la consola de tu proveedor.',
    connect: 'Conectar',
  },
  settings: {
    title: 'Máquinas inactivas',
    text: 'Una máquina está inactiva cuando todas sus GPU se mantienen por debajo de este valor durante este tiempo.',
    threshold: 'Uso de GPU inferior a',
    thresholdHint: 'De 1 a 50 %',
    minutes: 'Durante al menos',
    minutesHint: 'En minutos, hasta una semana',
    range: 'Escribe un número entero de {from} a {to}.',
  },
}
