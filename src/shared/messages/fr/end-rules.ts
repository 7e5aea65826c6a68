import type { Translation } from '../translation'
import type { endRules as english } from '../en/end-rules'

export const endRules: Translation<typeof english> = {
  attempt: 'Enregistrement de la fin automatique',
  title: 'Fin automatique',
  notice: 'Fin automatique',
  hint: 'Cet ordinateur ne doit pas être en veille, et Wheelhouse doit être en marche. Si une échéance est manquée, Wheelhouse n’agit pas et vous demande quoi faire.',
  arm: 'Programmer la fin…',
  change: 'Modifier…',
  dialog: {
    title: 'Fin automatique de {machine}',
    action: 'Action',
    when: 'Quand',
    stop: 'Arrêter',
    delete: 'Supprimer',
    kinds: {
      at: 'Heure fixe',
      after: 'Délai',
      idle: 'Inactivité',
      budget: 'Budget',
      job: 'Fin d’une tâche',
    },
    time: 'Heure',
    idleHours: 'Heures sans travail GPU',
    budget: 'Budget en {currency}, depuis la création de la machine',
    stillBilled: 'L’arrêt ne met pas fin à la facturation : une machine arrêtée coûte le même prix.',
    recommended:
      'L’arrêt ne met pas fin à la facturation : une machine arrêtée coûte le même prix. Pour mettre fin au coût, choisissez « Supprimer ».',
    idle: 'Seules les mesures des GPU comptent : une machine non surveillée n’est jamais arrêtée ni supprimée pour inactivité.',
    job: 'Tâche',
    jobText:
      'S’applique aussi si la tâche échoue. Si sa fin ne peut pas être connue, Wheelhouse vous demande quoi faire.',
    budgetText: 'Les coûts ne sont connus que si le service les indique. Un coût inconnu ne déclenche rien.',
    look: 'Avant une suppression, Wheelhouse cherche en SSH du travail non enregistré. S’il en trouve, ou ne peut pas tout examiner, il conserve la machine et vous avertit. La programmation autorise cet examen sur {machine}.',
    lookBeforeStop: 'Examiner {machine} en SSH avant de l’arrêter',
    lookBeforeStopText:
      'L’arrêt est envoyé même si des programmes tournent encore, et sans examen si vous ne l’autorisez pas.',
    noPrice: 'Le coût de cette machine est inconnu : un budget ne peut pas être utilisé.',
    armStop: 'Programmer l’arrêt',
    armDelete: 'Programmer la suppression',
    invalidHours: 'Saisissez un nombre d’heures entre 0,5 et 8 784.',
    invalidBudget: 'Saisissez un montant supérieur au coût à ce jour.',
  },
  armed: {
    at: { stop: 'Arrêt prévu : {time}', delete: 'Suppression prévue : {time}' },
    idle: {
      stop: 'Arrêt après {duration} d’inactivité',
      delete: 'Suppression après {duration} d’inactivité',
    },
    job: { stop: 'Arrêt à la fin de {name}', delete: 'Suppression à la fin de {name}' },
    budget: {
      stop: 'Arrêt à un coût de {amount}',
      delete: 'Suppression à un coût de {amount}',
    },
  },
  soon: { stop: 'Arrêt dans {duration}', delete: 'Suppression dans {duration}' },
  ending: { stop: 'Arrêt en cours…', delete: 'Examen, puis suppression…' },
  agent: 'Programmée par l’agent {agent}',
  jobUnseen:
    'Wheelhouse ne peut pas suivre les tâches de cette machine et n’en voit pas la fin. Autorisez-le dans l’onglet Tâches.',
  needsYou: { stop: 'Non arrêtée', delete: 'Non supprimée' },
  heldTitle: { stop: 'Non arrêtée automatiquement', delete: 'Non supprimée automatiquement' },
  held: {
    loss: 'Du travail serait perdu. Examinez-le dans la boîte de dialogue de suppression.',
    incomplete: 'Tout n’a pas pu être lu sur la machine : il reste peut-être du travail non enregistré.',
    'no-look': 'La machine était injoignable en SSH : il reste peut-être du travail non enregistré.',
    'no-consent': 'Wheelhouse n’est pas autorisé à examiner la machine avant sa suppression.',
    missed:
      'L’heure est passée alors que cet ordinateur était en veille ou que Wheelhouse n’était pas en marche.',
    unknown:
      'La demande a été envoyée, mais son résultat est inconnu. Elle n’est pas renvoyée automatiquement.',
    changing: 'La machine était en train de changer d’état.',
    'not-saved': 'La règle n’a pas pu être enregistrée : rien n’a été envoyé.',
    'job-lost': 'La tâche ne peut plus être suivie : sa fin est inconnue.',
    failed: 'Le service a refusé, ou était injoignable.',
  },
  extend: 'Reporter d’une heure',
  keep: { stop: 'Ne pas arrêter', delete: 'Conserver la machine' },
  now: { stop: 'Arrêter maintenant', delete: 'Supprimer maintenant' },
  set: 'Fin programmée pour {machine}',
  dropped: 'Machine {machine} conservée',
  unseen: {
    stop: 'Wheelhouse ne peut pas examiner {machine} en SSH pour l’instant. La machine sera arrêtée malgré tout.',
    delete:
      'Wheelhouse ne peut pas examiner {machine} en SSH pour l’instant. Tant que c’est le cas, la machine n’est pas supprimée automatiquement.',
  },
  notices: {
    warning: {
      stop: 'Machine {machine} : arrêt prévu à {time}',
      delete: 'Machine {machine} : suppression prévue à {time}',
    },
    warningText: {
      stop: 'Ouvrez Wheelhouse pour reporter ou annuler l’arrêt, ou l’effectuer maintenant. Une machine arrêtée reste facturée.',
      delete: 'Ouvrez Wheelhouse pour reporter ou annuler la suppression, ou l’effectuer maintenant.',
    },
    held: {
      stop: 'La machine {machine} n’a pas été arrêtée',
      delete: 'La machine {machine} n’a pas été supprimée',
    },
    ended: { stop: 'Machine {machine} arrêtée', delete: 'Machine {machine} supprimée' },
    endedText: {
      stop: 'Elle reste facturée à l’arrêt.',
      delete: 'Les volumes attachés sont conservés et restent facturés.',
    },
    unseen: {
      unreachable: 'La machine était injoignable en SSH auparavant : ce qui était en cours est inconnu.',
      'not-allowed':
        'Wheelhouse n’est pas autorisé à examiner la machine : ce qui était en cours est inconnu.',
    },
  },
}
