import type { Translation } from '../translation'
import type { alerts as english } from '../en/alerts'

export const alerts: Translation<typeof english> = {
  title: 'Warnungen',
  bell: 'Warnungen: keine | Warnungen: {count} | Warnungen: {count}',
  'budget-reached': {
    title: 'Budget für {month} aufgebraucht',
    text: '{spent} von {budget} ausgegeben',
  },
  'budget-forecast': {
    title: 'Prognose bei {percent} % des Budgets',
    text: '{forecast} bis Ende {month} erwartet; Budget {budget}',
  },
  'hourly-limit': {
    title: 'Ausgaben pro Stunde über Ihrem Limit',
    text: '{perHour} pro Stunde; Limit {limit}',
  },
  'long-running': {
    title: '{name} läuft seit {duration}',
    text: 'Über Ihrem Limit von {hours} h',
    costs: '{perHour} pro Stunde; über Ihrem Limit von {hours} h',
    hasCost: 'Bisher {cost} bei {perHour} pro Stunde; über Ihrem Limit von {hours} h',
  },
  'balance-low': {
    title: 'Guthaben reicht noch {duration}',
    used: 'Guthaben aufgebraucht',
    text: 'Noch {balance} bei {perHour} pro Stunde',
  },
  idle: {
    title: {
      idle: '{name} seit {duration} im Leerlauf',
      held: '{name} seit {duration} im Leerlauf',
      'barely-used': '{name} seit {duration} kaum genutzt',
      'cpu-idle': '{name} möglicherweise seit {duration} im Leerlauf',
    },
    sign: {
      idle: 'GPU im Leerlauf',
      held: 'GPU im Leerlauf; Speicher belegt',
      'barely-used': 'GPU beschäftigt, aber kaum genutzt',
      'cpu-idle': 'CPU im Leerlauf; GPU-Nutzung nicht gemessen',
    },
    cost: '{cost} verschwendet; {sign}',
    spent: '{cost} seitdem; {sign}',
  },
  'disk-full': {
    title: 'Datenträger von {name} zu {percent} % voll',
    text: 'Ist er voll, schlagen Programme fehl',
    filling: 'Beim derzeitigen Zuwachs in {duration} voll',
  },
  'gpu-defect': {
    'pending-remap': {
      title: '{name}: GPU-Speicher braucht einen Reset',
      text: 'Speicherzeilen warten auf ihren Austausch. Setzen Sie die GPU zurück oder starten Sie die Maschine neu',
    },
    'recovery-action': {
      title: '{name}: Der GPU-Treiber verlangt eine Wiederherstellung',
      text: 'Ein Check-up zeigt, welche',
    },
    xid: {
      title: '{name}: GPU-Arbeit fehlgeschlagen (Xid)',
      text: 'Der Kernel hat es gemeldet; die Meldungen stehen im Tab „GPU“',
    },
    heat: {
      title: '{name}: Hitze bremst eine GPU',
      text: 'Die Arbeit dauert länger und kostet mehr',
    },
  },
  unreachable: {
    title: '{name} seit {duration} nicht erreichbar',
    text: 'Sie zahlen für die laufende Maschine, aber SSH erreicht sie nicht',
  },
  notice: {
    body: '{text}. Seit {time}. {account}',
    several: '{count} Warnung für {account} | {count} Warnungen für {account}',
  },
  list: {
    label: 'Warnungen',
    empty: 'Keine Warnungen.',
    others: 'Keine weiteren Warnungen.',
    checking: 'Warnungen werden geprüft …',
    failed: 'Nicht alles konnte geprüft werden. Ein neuer Versuch folgt.',
    'signed-out': 'Melden Sie sich an, um Warnungen zu sehen.',
    emptyHint:
      'Legen Sie in den Einstellungen ein Budget, ein Stundenlimit oder eine maximale Laufzeit fest.',
    show: 'Anzeigen',
    showNamed: 'Anzeigen: {alert}',
    snooze: 'Zurückstellen',
    snoozeNamed: 'Zurückstellen: {alert}',
    dismiss: 'Ausblenden',
    dismissNamed: 'Ausblenden: {alert}',
    wakeNamed: 'Wieder anzeigen: {alert}',
    snoozed: 'Zurückgestellt bis {time}',
    snoozedCount: '{count} zurückgestellt',
    hour: 'Für eine Stunde',
    tomorrow: 'Bis morgen',
    week: 'Für eine Woche',
    settings: 'Limits festlegen',
  },
  limits: {
    title: 'Budget und Warnungen',
    text: 'Wird auch bei geschlossenem Fenster geprüft. Ein leeres Feld schaltet die Prüfung aus.',
    account: 'Konto',
    budget: 'Monatsbudget',
    budgetHint: 'Sie werden benachrichtigt, wenn es aufgebraucht ist oder die Prognose darüber liegt.',
    perHour: 'Stundenlimit',
    perHourHint: 'Für alles im Konto zusammen.',
    runningHours: 'Maschine läuft länger als',
    runningHint: 'Gezählt ab dem letzten Start.',
    balanceDays: 'Guthaben reicht weniger als',
    balanceHint: 'Bei den derzeitigen Ausgaben.',
    balanceUnknown: 'Dieser Dienst meldet das Guthaben nicht.',
    balanceForbidden: 'Dieses Konto darf sein Guthaben nicht sehen.',
    hours: 'Stunden',
    days: 'Tage',
    currency: 'Währung',
    otherCurrency: 'Die Ausgaben sind in {currencies}, deshalb kann dieses Limit nicht geprüft werden.',
    off: 'Aus',
    saved: 'Budget gespeichert.',
    understood: 'Meinen Sie {amount}?',
    use: '{amount} verwenden',
    wrong: {
      money: 'Geben Sie einen Betrag über 0 ein, etwa 1200 oder 0,50.',
      currency: 'Verwenden Sie drei Buchstaben, etwa USD.',
      hours: 'Geben Sie eine ganze Zahl von 1 bis 8784 ein.',
      days: 'Geben Sie eine ganze Zahl von 1 bis 366 ein.',
    },
  },
}
