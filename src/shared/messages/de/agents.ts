import type { Translation } from '../translation'
import type { agents as english } from '../en/agents'

export const agents: Translation<typeof english> = {
  attempt: 'Coding-Agenten aktualisieren',
  title: 'Coding-Agenten',
  text: 'Agenten, die wheelhouse mcp verwenden. Ein neuer Agent liest nur. Den Namen gibt er selbst an; prüfen lässt er sich nicht.',
  loading: 'Agenten werden geladen …',
  none: 'Noch hat sich kein Agent verbunden. Das Handbuch zeigt die Einrichtung.',
  seen: 'Zuletzt verwendet: {time}',
  unnamed: 'Agent ohne Namen',
  permissions: 'Berechtigungen von {agent}',
  power: 'Maschinen starten und stoppen, automatischen Stopp aktivieren',
  create: 'Maschinen erstellen, bis zur Obergrenze',
  delete: 'Maschinen löschen',
  deleteText:
    'Maschinen, die der Agent nicht erstellt hat, werden nur gelöscht, wenn über SSH keine ungesicherte Arbeit gefunden wird.',
  run: 'Befehle auf Maschinen ausführen',
  runText:
    'Er kann dort alles, was Sie können. Jeder Befehl steht als Job in der Liste und lässt sich beenden; der Agent kann die Protokolle aller Jobs lesen.',
  blocked: 'Sperren: auch Lesen ist nicht möglich',
  cap: 'Obergrenze pro Tag',
  capHint:
    'Jede Maschine, die der Agent erstellt hat, zählt mit ihrem Preis für 24 Stunden, solange sie existiert.',
  noCap: 'Geben Sie eine Obergrenze ein, damit der Agent Maschinen erstellen kann.',
  counted: '{counted} von {cap} verbraucht',
  forget: 'Entfernen …',
  forgetTitle: '{agent} entfernen?',
  forgetText:
    'Die Berechtigungen und die Liste der Aktionen werden entfernt. Die Maschinen bleiben erhalten. Verbindet sich der Agent erneut, liest er nur.',
  remove: 'Entfernen',
  saved: 'Berechtigungen gespeichert',
  removed: '{agent} wurde entfernt',
  actionsTitle: 'Aktionen',
  noActions: 'Noch keine.',
  more: 'Alle {count} anzeigen',
  kinds: {
    create: '{machine} erstellen',
    start: '{machine} starten',
    stop: '{machine} stoppen',
    delete: '{machine} löschen',
    'set-end': 'Automatisches Ende von {machine} aktivieren',
    'cancel-end': 'Automatisches Ende von {machine} aufheben',
    run: 'Befehl auf {machine} ausführen',
  },
  results: {
    sending: 'wird gesendet',
    done: 'erledigt',
    unknown: 'gesendet, Ergebnis unbekannt',
    failed: 'fehlgeschlagen, nichts geändert',
    refused: 'abgelehnt: {reason}',
  },
  times: '{count}-mal',
  soFar: 'bisher {amount}',
  why: {
    blocked: 'der Agent ist gesperrt',
    'not-allowed': 'dem Agenten nicht erlaubt',
    'no-cap': 'keine Obergrenze festgelegt',
    'above-cap': 'über der Obergrenze',
    'no-price': 'der Preis ist unbekannt',
    'other-currency': 'der Preis hat eine andere Währung als die Obergrenze',
    'would-lose': 'ungesicherte Arbeit ginge verloren',
    'not-looked':
      'ungesicherte Arbeit ist möglich: auf der Maschine konnte nicht vollständig nachgesehen werden',
    'no-consent': 'Jobs sind auf dieser Maschine nicht erlaubt',
    'too-many-jobs': 'auf dieser Maschine laufen zu viele Jobs',
    'not-reached': 'die Maschine war nicht erreichbar',
  },
}
