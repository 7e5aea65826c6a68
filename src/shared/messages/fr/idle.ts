import type { Translation } from '../translation'
import type { idle as english } from '../en/idle'

export const idle: Translation<typeof english> = {
  label: 'Inactive',
  unmeasured: {
    label: 'Non mesurée',
    check: 'Non mesurée. Vérifier maintenant : {name}',
    hint: 'L’utilisation de ses GPU n’a pas été mesurée. Vérifier maintenant',
  },
  mark: {
    idle: 'Inactive {duration}',
    held: 'Inactive {duration}',
    'barely-used': 'Peu utilisée {duration}',
    'cpu-idle': 'CPU inactif {duration}',
  },
  hint: {
    idle: 'GPU inactifs depuis le {time}.',
    held: 'GPU inactifs depuis le {time}, mémoire retenue.',
    'barely-used': 'GPU occupés depuis le {time}, mais peu utilisés.',
    'cpu-idle': 'CPU inactif depuis le {time}. Les GPU ne sont pas surveillés : ils travaillent peut-être.',
    unreported:
      'CPU inactif depuis le {time}. La surveillance n’indique aucune utilisation des GPU : ils travaillent peut-être.',
  },
  cost: '{cost} gaspillés à ce jour.',
  spent: '{cost} depuis lors.',
  tray: {
    idle: '{state}, inactive {duration}',
    held: '{state}, inactive {duration}',
    'barely-used': '{state}, peu utilisée {duration}',
    'cpu-idle': '{state}, CPU inactif {duration}',
  },
  trayCost: '{text}, {cost}',
  notice: {
    idle: 'GPU inactifs depuis {duration}',
    held: 'GPU inactifs depuis {duration}',
    'barely-used': 'GPU occupés depuis {duration}, mais peu utilisés',
    'cpu-idle': 'CPU inactif depuis {duration} ; utilisation des GPU non mesurée',
    holding:
      'Mémoire retenue : {memory} depuis {duration}. Un GPU consomme plus d’énergie quand un programme retient sa mémoire.',
    holdingPower:
      'Mémoire retenue : {memory} depuis {duration}. Consommation du GPU pendant ce temps : {power} au lieu de {idle}.',
    holdingBy: 'Retenue par {processes}.',
    holder: '{name} ({pid})',
    barely:
      'Moins de 5 % des cœurs, de la bande passante mémoire et des moteurs vidéo de chaque GPU étaient utilisés.',
    barelyByPower:
      'Estimé d’après la puissance : chaque GPU a consommé à peine plus qu’au repos et ses moteurs vidéo ont été à peine utilisés.',
    cost: '{cost} gaspillés à ce jour, à {perHour} par heure.',
    spent: '{cost} depuis lors, à {perHour} par heure.',
    check: 'Activez la surveillance des GPU pour savoir s’ils travaillent.',
    unreported:
      'La surveillance des GPU est activée, mais les GPU n’indiquent pas leur utilisation. L’onglet GPU en donne la raison.',
    stop: 'Elle est facturée jusqu’à sa suppression, même à l’arrêt.',
    elsewhere:
      'Elle est facturée jusqu’à sa suppression, même à l’arrêt. Supprimez-la dans la console de votre fournisseur.',
    connect: 'Se connecter',
  },
  settings: {
    title: 'Machines inactives',
    text: 'Une machine est inactive si tous ses GPU restent sous ce seuil pendant cette durée.',
    threshold: 'Utilisation des GPU inférieure à',
    thresholdHint: '1 à 50 %',
    minutes: 'Pendant au moins',
    minutesHint: 'En minutes, une semaine au plus',
    range: 'Saisissez un nombre entier de {from} à {to}.',
  },
}
