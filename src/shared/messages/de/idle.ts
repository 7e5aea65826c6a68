import type { Translation } from '../translation'
import type { idle as english } from '../en/idle'

export const idle: Translation<typeof english> = {
  label: 'Leerlauf',
  unmeasured: {
    label: 'Nicht geprüft',
    check: 'Nicht geprüft. Jetzt prüfen: {name}',
    hint: 'Die Nutzung der GPUs wurde nicht gemessen. Jetzt prüfen',
  },
  mark: {
    idle: 'Leerlauf {duration}',
    held: 'Leerlauf {duration}',
    'barely-used': 'Kaum genutzt {duration}',
    'cpu-idle': 'CPU ruht {duration}',
  },
  hint: {
    idle: 'GPUs im Leerlauf seit {time}.',
    held: 'GPUs im Leerlauf seit {time}, Speicher belegt.',
    'barely-used': 'GPUs beschäftigt seit {time}, aber kaum genutzt.',
    'cpu-idle': 'CPU im Leerlauf seit {time}. Die GPUs werden nicht überwacht und arbeiten möglicherweise.',
    unreported:
      'CPU im Leerlauf seit {time}. Die Überwachung meldet keine Nutzung der GPUs; sie arbeiten möglicherweise.',
  },
  cost: 'Bisher {cost} verschwendet.',
  spent: '{cost} seitdem.',
  tray: {
    idle: '{state}, Leerlauf {duration}',
    held: '{state}, Leerlauf {duration}',
    'barely-used': '{state}, kaum genutzt {duration}',
    'cpu-idle': '{state}, CPU ruht {duration}',
  },
  trayCost: '{text}, {cost}',
  notice: {
    idle: 'GPUs seit {duration} im Leerlauf',
    held: 'GPUs seit {duration} im Leerlauf',
    'barely-used': 'GPUs seit {duration} beschäftigt, aber kaum genutzt',
    'cpu-idle': 'CPU seit {duration} im Leerlauf; GPU-Nutzung nicht gemessen',
    holding:
      'Belegter Speicher: {memory} seit {duration}. Eine GPU verbraucht mehr Strom, solange ein Programm ihren Speicher belegt.',
    holdingPower:
      'Belegter Speicher: {memory} seit {duration}. Leistungsaufnahme der GPU dabei: {power} statt {idle}.',
    holdingBy: 'Belegt von {processes}.',
    holder: '{name} ({pid})',
    barely:
      'Von den Kernen, der Speicherbandbreite und den Videoeinheiten jeder GPU waren weniger als 5 % in Gebrauch.',
    barelyByPower:
      'Aus der Leistungsaufnahme geschätzt: Jede GPU verbrauchte kaum mehr als ohne Arbeit, und ihre Videoeinheiten waren kaum in Gebrauch.',
    cost: 'Bisher {cost} verschwendet, bei {perHour} pro Stunde.',
    spent: '{cost} seitdem, bei {perHour} pro Stunde.',
    check: 'Schalten Sie die GPU-Überwachung ein, um zu sehen, ob die GPUs arbeiten.',
    unreported:
      'Die GPU-Überwachung ist eingeschaltet, aber die GPUs melden keine Nutzung. Der Tab „GPU“ zeigt, warum.',
    stop: 'Sie zahlen, bis die Maschine gelöscht ist, auch wenn sie gestoppt ist.',
    elsewhere:
      'Sie zahlen, bis die Maschine gelöscht ist, auch wenn sie gestoppt ist. Löschen Sie die Maschine in der Konsole Ihres Anbieters.',
    connect: 'Verbinden',
  },
  settings: {
    title: 'Maschinen im Leerlauf',
    text: 'Eine Maschine ist im Leerlauf, wenn alle ihre GPUs für die angegebene Zeit unter der Schwelle bleiben.',
    threshold: 'GPU-Auslastung unter',
    thresholdHint: '1 bis 50 %',
    minutes: 'Mindestens',
    minutesHint: 'In Minuten, bis zu einer Woche',
    range: 'Geben Sie eine ganze Zahl von {from} bis {to} ein.',
  },
}
