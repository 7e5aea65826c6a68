import type { Translation } from '../translation'
import type { endRules as english } from '../en/end-rules'

export const endRules: Translation<typeof english> = {
  attempt: 'Automatisches Ende speichern',
  title: 'Automatisch beenden',
  notice: 'Automatisches Ende',
  hint: 'Dazu muss dieser Computer wach sein und Wheelhouse laufen. Wird ein Zeitpunkt verpasst, fragt Wheelhouse, statt zu handeln.',
  arm: 'Automatisch beenden …',
  change: 'Ändern …',
  dialog: {
    title: '{machine} automatisch beenden',
    action: 'Aktion',
    when: 'Wann',
    stop: 'Stoppen',
    delete: 'Löschen',
    kinds: {
      at: 'Uhrzeit',
      after: 'Nach Stunden',
      idle: 'Bei Leerlauf',
      budget: 'Budget',
      job: 'Nach einem Job',
    },
    time: 'Zeit',
    idleHours: 'Stunden ohne GPU-Arbeit',
    budget: 'Budget in {currency}, seit die Maschine erstellt wurde',
    stillBilled: 'Stoppen beendet die Kosten nicht: Eine gestoppte Maschine kostet genauso viel.',
    recommended:
      'Stoppen beendet die Kosten nicht: Eine gestoppte Maschine kostet genauso viel. Um die Kosten zu beenden, wählen Sie „Löschen“.',
    idle: 'Nur Messwerte der GPUs zählen: Eine nicht überwachte Maschine wird nie wegen Leerlaufs beendet.',
    job: 'Job',
    jobText: 'Beendet wird auch, wenn der Job fehlschlägt. Ist sein Ende unbekannt, fragt Wheelhouse.',
    budgetText:
      'Kosten sind nur bekannt, soweit der Dienst sie meldet. Sind sie unbekannt, wird nichts beendet.',
    look: 'Vor dem Löschen sieht Wheelhouse über SSH nach, ob es ungesicherte Arbeit gibt. Findet es welche oder kann es nicht alles lesen, bleibt die Maschine erhalten und Sie werden benachrichtigt. Mit dem Aktivieren erlauben Sie dieses Nachsehen auf {machine}.',
    lookBeforeStop: 'Vor dem Stoppen über SSH auf {machine} nachsehen',
    lookBeforeStopText:
      'Gestoppt wird auch, wenn noch Programme laufen, und ohne Nachsehen, wenn Sie es nicht erlauben.',
    noPrice: 'Die Kosten dieser Maschine sind unbekannt, deshalb ist ein Budget nicht möglich.',
    armStop: 'Stopp aktivieren',
    armDelete: 'Löschung aktivieren',
    invalidHours: 'Geben Sie 0,5 bis 8784 Stunden ein.',
    invalidBudget: 'Geben Sie einen Betrag über den bisherigen Kosten ein.',
  },
  armed: {
    at: { stop: 'Wird gestoppt: {time}', delete: 'Wird gelöscht: {time}' },
    idle: {
      stop: 'Wird nach {duration} Leerlauf gestoppt',
      delete: 'Wird nach {duration} Leerlauf gelöscht',
    },
    job: { stop: 'Wird gestoppt, wenn {name} endet', delete: 'Wird gelöscht, wenn {name} endet' },
    budget: {
      stop: 'Wird bei Kosten von {amount} gestoppt',
      delete: 'Wird bei Kosten von {amount} gelöscht',
    },
  },
  soon: { stop: 'Stopp in {duration}', delete: 'Löschung in {duration}' },
  ending: { stop: 'Wird gestoppt …', delete: 'Wird geprüft, dann gelöscht …' },
  agent: 'Aktiviert vom Agenten {agent}',
  jobUnseen:
    'Wheelhouse darf Jobs auf dieser Maschine nicht verfolgen und sieht das Ende nicht. Erlauben Sie es im Tab Jobs.',
  needsYou: { stop: 'Nicht gestoppt', delete: 'Nicht gelöscht' },
  heldTitle: { stop: 'Nicht automatisch gestoppt', delete: 'Nicht automatisch gelöscht' },
  held: {
    loss: 'Es gibt Arbeit, die verloren ginge. Der Dialog „Löschen“ zeigt sie.',
    incomplete:
      'Nicht alles auf der Maschine konnte gelesen werden. Möglicherweise gibt es ungesicherte Arbeit.',
    'no-look': 'Die Maschine war über SSH nicht erreichbar. Möglicherweise gibt es ungesicherte Arbeit.',
    'no-consent': 'Wheelhouse darf vor dem Löschen nicht auf der Maschine nachsehen.',
    missed:
      'Der Zeitpunkt verstrich, während dieser Computer im Ruhezustand oder Wheelhouse geschlossen war.',
    unknown:
      'Die Anfrage wurde gesendet, aber ihr Ergebnis ist unbekannt. Sie wird nicht automatisch wiederholt.',
    changing: 'Der Zustand der Maschine änderte sich gerade.',
    'not-saved': 'Die Regel konnte nicht gespeichert werden, deshalb wurde nichts gesendet.',
    'job-lost': 'Der Job kann nicht mehr verfolgt werden, sein Ende ist daher unbekannt.',
    failed: 'Der Dienst hat abgelehnt oder war nicht erreichbar.',
  },
  extend: '1 Stunde verlängern',
  keep: { stop: 'Nicht stoppen', delete: 'Maschine behalten' },
  now: { stop: 'Jetzt stoppen', delete: 'Jetzt löschen' },
  set: 'Für {machine} aktiviert',
  dropped: '{machine} bleibt erhalten',
  unseen: {
    stop: 'Wheelhouse kann derzeit nicht über SSH auf {machine} nachsehen. Die Maschine wird trotzdem gestoppt.',
    delete:
      'Wheelhouse kann derzeit nicht über SSH auf {machine} nachsehen. Solange das so ist, wird die Maschine nicht automatisch gelöscht.',
  },
  notices: {
    warning: { stop: '{machine} wird um {time} gestoppt', delete: '{machine} wird um {time} gelöscht' },
    warningText: {
      stop: 'Öffnen Sie Wheelhouse, um zu verlängern, die Maschine laufen zu lassen oder jetzt zu stoppen. Auch gestoppt kostet die Maschine weiterhin Geld.',
      delete: 'Öffnen Sie Wheelhouse, um zu verlängern, die Maschine zu behalten oder jetzt zu löschen.',
    },
    held: { stop: '{machine} wurde nicht gestoppt', delete: '{machine} wurde nicht gelöscht' },
    ended: { stop: '{machine} wurde gestoppt', delete: '{machine} wurde gelöscht' },
    endedText: {
      stop: 'Sie zahlen weiterhin, während die Maschine gestoppt ist.',
      delete: 'Angehängte Volumes bleiben erhalten und kosten weiterhin Geld.',
    },
    unseen: {
      unreachable: 'Die Maschine war vorher über SSH nicht erreichbar. Was lief, ist daher unbekannt.',
      'not-allowed': 'Wheelhouse darf auf der Maschine nicht nachsehen. Was lief, ist daher unbekannt.',
    },
  },
}
