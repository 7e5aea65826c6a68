import type { Translation } from '../translation'
import type { notifications as english } from '../en/notifications'

export const notifications: Translation<typeof english> = {
  history: {
    fresh: 'Notificaciones nuevas',
    earlier: 'Notificaciones anteriores ({count})',
    showNamed: 'Mostrar: {title}',
    clear: 'Borrar notificaciones',
    cleared: 'Notificaciones borradas',
  },
  quiet: {
    title: 'Horas de silencio',
    text: 'Cada día, en estas horas no aparecen notificaciones en tu escritorio. La campana las muestra, y el webhook y el correo las siguen recibiendo. Los finales automáticos, las preguntas de SSH y los avisos sobre tus propias acciones aparecen de todos modos.',
    from: 'Desde',
    to: 'Hasta',
    turnedOn: 'Horas de silencio activadas',
    turnedOff: 'Horas de silencio desactivadas',
  },
  delivery: {
    title: 'Webhook y correo',
    text: 'Envía las notificaciones activadas arriba, salvo las de este equipo, a un chat, un teléfono o un buzón mientras Wheelhouse está en marcha. Desactivado hasta que lo configures. Los textos contienen nombres de máquinas y trabajos, e importes. La salida de los trabajos no se envía.',
    late: 'Enviado con retraso. Hora del suceso: {time}.',
    loading: 'Cargando…',
    test: 'Enviar una prueba',
    testNamed: 'Enviar una prueba: {target}',
    remove: 'Quitar',
    removeNamed: 'Quitar: {target}',
    none: 'Aún no se envió nada.',
    result: '{time}: {result}',
  },
  webhook: {
    title: 'Webhook',
    kind: 'Enviar a',
    kinds: { slack: 'Slack', discord: 'Discord', ntfy: 'ntfy', json: 'Otro programa (JSON)' },
    address: 'Dirección del webhook',
    hints: {
      slack:
        'Crea un webhook entrante en Slack y pega su dirección. Es secreta: se guarda en el llavero y no se vuelve a mostrar.',
      discord:
        'Crea un webhook en la configuración de un canal de Discord y pega su dirección. Es secreta: se guarda en el llavero y no se vuelve a mostrar.',
      ntfy: 'La dirección de tu tema, por ejemplo https://ntfy.sh/mi-tema. Es secreta: se guarda en el llavero y no se vuelve a mostrar.',
      json: 'Recibe cada notificación como una solicitud POST con un objeto JSON. La dirección se guarda en el llavero y no se vuelve a mostrar.',
    },
    show: 'Mostrar dirección',
    hide: 'Ocultar dirección',
    save: 'Guardar webhook',
    saved: 'Webhook guardado. Envía una prueba para comprobarlo.',
    removed: 'Webhook quitado',
    current: '{kind}, {place}',
  },
  mail: {
    title: 'Correo',
    address: 'Dirección de correo',
    hint: 'Lo envía el programa de correo de este equipo: {program}',
    save: 'Guardar dirección',
    saved: 'Dirección de correo guardada. Envía una prueba para comprobarla.',
    removed: 'Dirección de correo quitada',
    noMailer:
      'Este equipo no tiene un programa de correo que Wheelhouse pueda usar. Instala uno que ofrezca sendmail, como msmtp o Postfix, y vuelve a abrir esta página.',
  },
  outcomes: {
    sent: 'Enviado',
    accepted: 'El programa de correo lo aceptó. La entrega aún puede fallar.',
    refused: 'Rechazado (HTTP {status})',
    refusedWith: 'Rechazado (HTTP {status}): {message}',
    busy: 'No enviado: demasiadas solicitudes',
    busyFor: 'No enviado: demasiadas solicitudes. Pidió una pausa de {duration}.',
    redirected:
      'La dirección respondió con una redirección, que Wheelhouse no sigue. Escribe la dirección final.',
    page: 'No enviado: la dirección respondió con una página web (HTTP {status}). Compruébala. Quizá tu red también pida iniciar sesión antes.',
    unknown: 'Sin confirmación: puede que no haya llegado. {problem}',
    unconfirmed: 'Sin confirmación (HTTP {status}): puede que no haya llegado.',
    failed: 'No enviado. {problem}',
    noAddress: 'No enviado: el llavero ya no tiene la dirección. Quita el webhook y configúralo de nuevo.',
    dropped: 'Había demasiadas notificaciones en espera, así que se descartó la más antigua.',
    noMailer: 'No enviado: este equipo no tiene programa de correo.',
    mailerFailed: 'No enviado: el programa de correo terminó con el código de salida {code}.',
    mailerFailedWith: 'No enviado: el programa de correo terminó con el código de salida {code}: {message}',
    mailerEnded: 'Sin confirmación: el programa de correo fue interrumpido.',
    mailerSilent: 'Sin confirmación: el programa de correo no terminó en {seconds} s.',
  },
}
