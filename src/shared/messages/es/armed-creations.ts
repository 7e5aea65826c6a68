import type { Translation } from '../translation'
import type { armedCreations as english } from '../en/armed-creations'

export const armedCreations: Translation<typeof english> = {
  attempt: 'Guardar la creación en espera',
  title: 'A la espera de disponibilidad',
  hint: 'Este equipo debe estar activo, Wheelhouse en ejecución y la sesión de la cuenta iniciada. La disponibilidad se revisa cada minuto. Cada creación se envía como máximo una vez.',
  offer: 'Agotado. Wheelhouse puede crear la máquina una vez cuando vuelva a estar disponible.',
  arm: 'Crear cuando esté disponible…',
  set: 'A la espera de {flavor}',
  backInForm: '{machine} ya no espera. Sus datos están en el formulario.',
  dialog: {
    title: 'Crear {machine} cuando {flavor} vuelva a estar disponible',
    changeTitle: 'Cambiar la espera de {machine}',
    cap: 'Precio máximo por hora, en {currency}',
    price: 'Precio de catálogo actual: {price}.',
    perGpu:
      'Un catálogo puede indicar el precio de una sola GPU. Por eso, {count} × {price} = {total} tampoco debe superar tu precio máximo.',
    unpriced: 'El catálogo no indica ningún precio. Mientras sea así, no se crea nada.',
    until: 'Esperar hasta',
    action: 'Esperar y crear',
    change: 'Guardar',
    invalidCap: 'Escribe un importe mayor que 0.',
    invalidUntil: 'Elige un momento futuro dentro de un año.',
    notStored: 'El almacén cifrado no está abierto, así que la espera termina al salir de Wheelhouse.',
    bill: 'Se te cobra desde que se crea, aunque no estés.',
  },
  waiting: 'Hasta {time}, como máximo {cap} por hora',
  sending: 'Disponible. Enviando…',
  delays: {
    'above-cap': 'Disponible, pero hasta {price} por hora. Sigue a la espera de un precio menor.',
    'no-price': 'Disponible, pero sin precio. Sigue a la espera.',
    'other-currency': 'Disponible, pero con un precio en {currency}. Sigue a la espera.',
    'not-sent': 'Disponible, pero no se pudo enviar nada: {reason}. Wheelhouse vuelve a intentarlo.',
  },
  ended: {
    expired: 'No se creó: la espera terminó ({time}).',
    failed: 'No se creó: {reason}.',
    unknown:
      'Se envió, pero la respuesta se perdió: puede estar en marcha y cobrarse. Revisa las máquinas y el consumo antes de enviarla de nuevo.',
  },
  change: 'Cambiar…',
  again: 'Esperar de nuevo…',
  cancel: 'No crear',
  openForm: 'Abrir formulario',
  dismiss: 'Descartar',
  notices: {
    created: 'Se está creando {machine}',
    createdText: '{flavor} volvió a estar disponible. Se te cobra hasta que elimines la máquina.',
    aboveCap: '{flavor} está disponible, pero no a tu precio',
    noPrice: '{flavor} está disponible, pero su precio no se puede comparar',
    expired: 'No se creó {machine}',
    failed: 'No se creó {machine}',
    unknown: '¿Se creó {machine}?',
  },
}
