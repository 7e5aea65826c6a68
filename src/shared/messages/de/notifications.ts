import type { Translation } from '../translation'
import type { notifications as english } from '../en/notifications'

export const notifications: Translation<typeof english> = {
  history: {
    fresh: 'Neue Benachrichtigungen',
    earlier: 'Frühere Benachrichtigungen ({count})',
    showNamed: 'Anzeigen: {title}',
    clear: 'Benachrichtigungen löschen',
    cleared: 'Benachrichtigungen gelöscht',
    undo: 'Rückgängig',
  },
  quiet: {
    title: 'Ruhezeiten',
    text: 'Jeden Tag erscheinen in dieser Zeit keine Benachrichtigungen auf dem Desktop. Die Glocke führt sie auf, Webhook und E-Mail erhalten sie weiterhin. Automatische Enden, SSH-Fragen und Hinweise zu Ihren eigenen Aktionen erscheinen trotzdem.',
    from: 'Von',
    to: 'Bis',
    turnedOn: 'Ruhezeiten eingeschaltet',
    turnedOff: 'Ruhezeiten ausgeschaltet',
  },
  delivery: {
    title: 'Webhook und E-Mail',
    text: 'Sendet die oben eingeschalteten Benachrichtigungen, außer denen zu diesem Computer, an einen Chat, ein Telefon oder ein Postfach, solange Wheelhouse läuft. Aus, bis Sie es einrichten. Die Texte enthalten Namen von Maschinen und Jobs sowie Beträge. Die Ausgabe von Jobs wird nicht gesendet.',
    late: 'Verspätet gesendet. Zeitpunkt des Ereignisses: {time}.',
    loading: 'Wird geladen …',
    test: 'Test senden',
    testNamed: 'Test senden: {target}',
    remove: 'Entfernen',
    removeNamed: 'Entfernen: {target}',
    none: 'Noch nichts gesendet.',
    result: '{time}: {result}',
  },
  webhook: {
    title: 'Webhook',
    kind: 'Senden an',
    kinds: { slack: 'Slack', discord: 'Discord', ntfy: 'ntfy', json: 'Anderes Programm (JSON)' },
    address: 'Adresse des Webhooks',
    hints: {
      slack:
        'Erstellen Sie in Slack einen eingehenden Webhook und fügen Sie seine Adresse ein. Sie ist geheim, wird im Schlüsselbund gespeichert und nicht wieder angezeigt.',
      discord:
        'Erstellen Sie in den Einstellungen eines Discord-Kanals einen Webhook und fügen Sie seine Adresse ein. Sie ist geheim, wird im Schlüsselbund gespeichert und nicht wieder angezeigt.',
      ntfy: 'Die Adresse Ihres Topics, z. B. https://ntfy.sh/mein-topic. Sie ist geheim, wird im Schlüsselbund gespeichert und nicht wieder angezeigt.',
      json: 'Erhält jede Benachrichtigung als POST-Anfrage mit einem JSON-Objekt. Die Adresse wird im Schlüsselbund gespeichert und nicht wieder angezeigt.',
    },
    show: 'Adresse anzeigen',
    hide: 'Adresse verbergen',
    save: 'Webhook speichern',
    saved: 'Webhook gespeichert. Prüfen Sie ihn mit einem Test.',
    removeTitle: 'Webhook entfernen?',
    removeText:
      'Seine Adresse wird aus dem Schlüsselbund entfernt. Wheelhouse kann sie nicht anzeigen oder wiederherstellen.',
    removed: 'Webhook entfernt',
    current: '{kind}, {place}',
  },
  mail: {
    title: 'E-Mail',
    address: 'E-Mail-Adresse',
    hint: 'Gesendet vom Mailprogramm dieses Computers: {program}',
    save: 'Adresse speichern',
    saved: 'E-Mail-Adresse gespeichert. Prüfen Sie sie mit einem Test.',
    removeTitle: 'E-Mail-Adresse entfernen?',
    removeText: 'An {address} werden keine Benachrichtigungen mehr gesendet.',
    removed: 'E-Mail-Adresse entfernt',
    noMailer:
      'Auf diesem Computer gibt es kein Mailprogramm, das Wheelhouse nutzen kann. Installieren Sie eines, das sendmail bereitstellt, z. B. msmtp oder Postfix, und öffnen Sie diese Seite dann erneut.',
  },
  outcomes: {
    sent: 'Gesendet',
    accepted: 'Vom Mailprogramm angenommen. Die Zustellung kann noch fehlschlagen.',
    refused: 'Abgelehnt (HTTP {status})',
    refusedWith: 'Abgelehnt (HTTP {status}): {message}',
    busy: 'Nicht gesendet: zu viele Anfragen',
    busyFor: 'Nicht gesendet: zu viele Anfragen. Verlangte Pause: {duration}.',
    redirected:
      'Die Adresse antwortet mit einer Weiterleitung, der Wheelhouse nicht folgt. Geben Sie die endgültige Adresse ein.',
    page: 'Nicht gesendet: Die Adresse antwortet mit einer Webseite (HTTP {status}). Prüfen Sie sie. Vielleicht verlangt auch Ihr Netzwerk zuerst eine Anmeldung.',
    unknown: 'Keine Bestätigung, möglicherweise nicht angekommen. {problem}',
    unconfirmed: 'Keine Bestätigung (HTTP {status}), möglicherweise nicht angekommen.',
    failed: 'Nicht gesendet. {problem}',
    noAddress:
      'Nicht gesendet: Die Adresse ist nicht mehr im Schlüsselbund. Entfernen Sie den Webhook und richten Sie ihn neu ein.',
    dropped: 'Es warteten zu viele Benachrichtigungen. Die älteste wurde verworfen.',
    noMailer: 'Nicht gesendet: Auf diesem Computer gibt es kein Mailprogramm.',
    mailerFailed: 'Nicht gesendet: Das Mailprogramm endete mit Exit-Code {code}.',
    mailerFailedWith: 'Nicht gesendet: Das Mailprogramm endete mit Exit-Code {code}: {message}',
    mailerEnded: 'Keine Bestätigung: Das Mailprogramm wurde beendet.',
    mailerSilent: 'Keine Bestätigung: Das Mailprogramm endete nicht innerhalb von {seconds} s.',
  },
}
