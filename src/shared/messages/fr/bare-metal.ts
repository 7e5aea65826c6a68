import type { Translation } from '../translation'
import type { bareMetal as english } from '../en/bare-metal'

export const bareMetal: Translation<typeof english> = {
  title: 'Bare metal',
  why: 'Le service ne peut pas lister le bare metal. Vous voyez les instances créées ici ou ajoutées par ID.',
  create: 'Nouvelle instance',
  add: {
    action: 'Ajouter par ID',
    title: 'Ajouter une instance bare metal',
    text: 'Vous trouverez l’ID sur le site du service ou là où vous avez créé l’instance. L’ajouter ici n’y change rien.',
    label: 'ID de l’instance',
    submit: 'Ajouter',
    unknown: 'Aucune instance bare metal n’a cet ID.',
    done: 'Instance {instance} ajoutée',
    already: '{instance} est déjà dans la liste',
  },
  filter: { label: 'Filtrer le bare metal', placeholder: 'Filtrer par nom, GPU, adresse, ID…' },
  selection: 'Instances sélectionnées',
  columns: {
    name: 'Nom',
    state: 'État',
    gpu: 'GPU',
    region: 'Région',
    address: 'Adresse',
    flavor: 'Gabarit',
    uptime: 'Depuis',
  },
  presence: {
    unread: 'Chargement',
    gone: 'Supprimée',
    started: 'Démarrée',
    preparing: 'Préparation',
  },
  loading: 'Chargement du bare metal…',
  signedOut: 'Connectez-vous pour voir le bare metal.',
  empty: {
    title: 'Aucun bare metal',
    text: 'Les instances que vous créez ici apparaissent automatiquement. Ajoutez les autres par ID : le service ne peut pas les lister.',
  },
  noMatch: {
    title: 'Aucune instance correspondante',
    text: 'Aucun résultat pour « {filter} ».',
    action: 'Afficher toutes les instances',
  },
  panel: { label: 'Bare metal {instance}', close: 'Fermer le panneau' },
  origin: {
    label: 'Origine',
    created: 'création ici {age}',
    added: 'ajout par ID {age}',
    found: 'trouvée dans la facturation {age}',
  },
  gone: {
    title: 'Cette instance a été supprimée',
    text: 'Le service n’a rien avec cet ID. Retirez-la de la liste quand vous n’aurez plus besoin de ses détails.',
  },
  forget: {
    action: 'Retirer de la liste',
    title: 'Retirer {instance} de la liste ?',
    titleMany: 'Retirer {count} instance de la liste ? | Retirer {count} instances de la liste ?',
    text: 'Seule la liste change. Les instances en marche le restent, et leur facturation continue.',
    gone: 'Retirée de cette liste uniquement. Le service n’a rien avec cet ID. | Retirées de cette liste uniquement. Le service n’a rien avec ces ID.',
    ids: 'ID : {ids} | ID : {ids}',
    done: 'Instance {instance} retirée de la liste',
  },
  user: {
    title: 'Avec quel utilisateur vous connecter ?',
    text: 'Le service n’indique pas de nom d’utilisateur pour {machine}. Votre réponse sera retenue.',
    label: 'Nom d’utilisateur',
    hint: 'Souvent ubuntu ou root, selon l’image.',
    submit: 'Se connecter',
  },
}
