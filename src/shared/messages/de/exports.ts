import type { Translation } from '../translation'
import type { exports as english } from '../en/exports'

export const exports: Translation<typeof english> = {
  action: 'Exportieren',
  menu: '{what} exportieren als',
  formats: { csv: 'CSV, für Tabellenprogramme', json: 'JSON, für Programme' },
  choosing: 'Speicherort wählen …',
  progress: '{done} von {total} Zeilen',
  progressOpen: 'bisher {done} Zeilen',
  cancel: 'Export abbrechen',
  saved: '{count} Zeile als {file} gespeichert | {count} Zeilen als {file} gespeichert',
  savedIncomplete:
    '{count} Zeilen als {file} gespeichert. Die Liste hat sich beim Export geändert, deshalb fehlen möglicherweise Zeilen. Exportieren Sie erneut.',
  leftOut: '{count} unlesbarer Datensatz fehlt in {file} | {count} unlesbare Datensätze fehlen in {file}',
  report: 'Bericht',
  reportHint: 'Monatsbericht als PDF, eine Seite',
  reportOf: 'Monat',
  savedReport: '{file} gespeichert',
  showInFolder: 'Im Ordner anzeigen',
  page: {
    title: 'Ausgaben im {month}',
    account: 'Konto {account}',
    made: 'Erstellt von Wheelhouse am {date}',
    sandbox: 'Sandbox: kein echtes Geld.',
    total: 'Summe',
    soFar: 'Bisher',
    charged: 'abgerechnet',
    estimated: 'geschätzt',
    forecast: 'Prognose für den Monat',
    forecastNote:
      'wenn die aktive Ressource weiterhin {rate} pro Stunde kostet | wenn die {count} aktiven Ressourcen weiterhin {rate} pro Stunde kosten',
    unknown: 'Unbekannt',
    forecastUnpriced:
      'der Preis von {count} aktiven Ressource ist unbekannt | der Preis von {count} aktiven Ressourcen ist unbekannt',
    forecastUncounted: '{assumption}, ohne {count} mit unbekanntem Preis',
    forecastNothing: 'wenn nichts weiter gestartet wird',
    perDay: 'Pro Tag, in {currency}',
    charts: { charged: 'Abgerechnet', estimated: 'Geschätzt, noch nicht abgerechnet' },
    nothing: 'In diesem Monat wurde nichts ausgegeben.',
    byType: 'Nach Typ',
    types: { vm: 'Maschinen', 'bare-metal': 'Bare Metal', volume: 'Volumes' },
    byGpu: 'Nach GPU-Modell',
    noGpu: 'Ohne GPU',
    unknownGpu: 'GPU unbekannt',
    others: 'Andere',
    gpuHours: '{hours} GPU-Stunden',
    top: 'Teuerste Ressourcen',
    columns: { name: 'Ressource', gpu: 'GPU', hours: 'Stunden', cost: 'Kosten' },
    moreNote: '{count} weitere kosten insgesamt {amount}.',
    notes: 'So wird gerechnet',
    noteDays: 'Tage und Monate gelten in der Zeitzone {zone}.',
    noteCharged:
      'Abgerechnete Beträge stammen aus den Abrechnungen des Dienstes, verteilt auf deren jeweiligen Zeitraum. Geschätzte Beträge setzen die Gebühr pro Minute für noch nicht abgerechnete Zeit an.',
    noteAssumed:
      'Währung nicht gemeldet; Anzeige in {currency}. Verschiedene Währungen werden nie zusammengezählt.',
    noteReported: 'Währungen wie vom Dienst gemeldet. Verschiedene Währungen werden nie zusammengezählt.',
    notePartial:
      'Einige Abrechnungen waren beim Erstellen nicht geladen. Frühere Kosten sind möglicherweise unvollständig.',
    noteNone:
      'Auf diesem Computer sind keine Abrechnungen gespeichert. Alle Beträge sind aus der Nutzung geschätzt.',
  },
}
