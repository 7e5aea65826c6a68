import type { Translation } from '../translation'
import type { exports as english } from '../en/exports'

export const exports: Translation<typeof english> = {
  action: 'Exporter',
  menu: 'Exporter : {what}',
  formats: { csv: 'CSV, pour les tableurs', json: 'JSON, pour les programmes' },
  choosing: 'Choisissez où enregistrer…',
  progress: 'Lignes : {done} sur {total}',
  progressOpen: 'Lignes : {done} pour l’instant',
  cancel: 'Annuler l’exportation',
  saved: '{count} ligne enregistrée sous {file} | {count} lignes enregistrées sous {file}',
  savedIncomplete:
    'Lignes enregistrées sous {file} : {count}. La liste a changé pendant l’exportation : il manque peut-être des lignes. Refaites l’exportation.',
  leftOut:
    '{count} enregistrement illisible absent de {file} | {count} enregistrements illisibles absents de {file}',
  report: 'Rapport',
  reportHint: 'PDF mensuel d’une page',
  reportOf: 'Mois',
  savedReport: 'Enregistré : {file}',
  showInFolder: 'Afficher dans le dossier',
  page: {
    title: 'Dépenses en {month}',
    account: 'Compte {account}',
    made: 'Créé par Wheelhouse le {date}',
    sandbox: 'Bac à sable : pas d’argent réel.',
    total: 'Total',
    soFar: 'À ce jour',
    charged: 'facturé',
    estimated: 'estimé',
    forecast: 'Prévision du mois',
    forecastNote:
      'si {count} ressource active continue de coûter {rate} par heure | si les {count} ressources actives continuent de coûter {rate} par heure',
    unknown: 'Inconnu',
    forecastUnpriced:
      'le prix de {count} ressource active est inconnu | le prix de {count} ressources actives est inconnu',
    forecastUncounted: '{assumption}, sans compter {count} à prix inconnu',
    forecastNothing: 'si rien d’autre n’est démarré',
    perDay: 'Par jour, en {currency}',
    charts: { charged: 'Facturé', estimated: 'Estimé, pas encore facturé' },
    nothing: 'Aucune dépense ce mois-ci.',
    byType: 'Par type',
    types: { vm: 'Machines', 'bare-metal': 'Bare metal', volume: 'Volumes' },
    byGpu: 'Par modèle de GPU',
    noGpu: 'Sans GPU',
    unknownGpu: 'GPU inconnu',
    others: 'Autres',
    gpuHours: '{hours} heures-GPU',
    top: 'Les plus chères',
    columns: { name: 'Ressource', gpu: 'GPU', hours: 'Heures', cost: 'Coût' },
    moreNote: 'Coût total des autres ressources ({count}) : {amount}.',
    notes: 'Mode de calcul',
    noteDays: 'Les jours et les mois suivent le fuseau horaire {zone}.',
    noteCharged:
      'Les montants facturés viennent des relevés du service, répartis sur la durée que chacun couvre. Les montants estimés appliquent le tarif à la minute au temps qu’aucun relevé ne couvre encore.',
    noteAssumed:
      'Devise non indiquée ; affichage en {currency}. Des devises différentes ne sont jamais additionnées.',
    noteReported:
      'Les devises sont celles qu’indique le service. Des devises différentes ne sont jamais additionnées.',
    notePartial:
      'Certains relevés n’étaient pas chargés à la création de ce rapport. Les coûts passés sont peut-être incomplets.',
    noteNone:
      'Aucun relevé n’est enregistré sur cet ordinateur. Tous les montants sont estimés d’après la consommation.',
  },
}
