import type { Translation } from '../translation'
import type { notifications as english } from '../en/notifications'

export const notifications: Translation<typeof english> = {
  history: {
    fresh: 'Nouvelles notifications',
    earlier: 'Notifications précédentes ({count})',
    showNamed: 'Afficher : {title}',
    clear: 'Effacer les notifications',
    cleared: 'Notifications effacées',
    undo: 'Annuler',
  },
  quiet: {
    title: 'Heures calmes',
    text: 'Chaque jour, aucune notification n’apparaît sur votre bureau pendant ces heures. La cloche les liste, et le webhook et l’e-mail les reçoivent toujours. Les fins automatiques, les questions de SSH et les avis sur vos propres actions apparaissent quand même.',
    from: 'De',
    to: 'À',
    turnedOn: 'Heures calmes activées',
    turnedOff: 'Heures calmes désactivées',
  },
  delivery: {
    title: 'Webhook et e-mail',
    text: 'Envoie les notifications activées ci-dessus, sauf celles qui concernent cet ordinateur, à un chat, un téléphone ou une boîte aux lettres tant que Wheelhouse est ouvert. Désactivé jusqu’à sa configuration. Les textes contiennent des noms de machines et de tâches, et des montants. La sortie des tâches n’est pas envoyée.',
    late: 'Envoi tardif. Heure de l’événement : {time}.',
    loading: 'Chargement…',
    test: 'Envoyer un test',
    testNamed: 'Envoyer un test : {target}',
    remove: 'Retirer',
    removeNamed: 'Retirer : {target}',
    none: 'Aucun envoi pour l’instant.',
    result: '{time} : {result}',
  },
  webhook: {
    title: 'Webhook',
    kind: 'Envoyer à',
    kinds: { slack: 'Slack', discord: 'Discord', ntfy: 'ntfy', json: 'Un autre programme (JSON)' },
    address: 'Adresse du webhook',
    hints: {
      slack:
        'Créez un webhook entrant dans Slack et collez son adresse. Elle est secrète : elle est conservée dans le trousseau et ne sera plus affichée.',
      discord:
        'Créez un webhook dans les paramètres d’un salon Discord et collez son adresse. Elle est secrète : elle est conservée dans le trousseau et ne sera plus affichée.',
      ntfy: 'L’adresse de votre sujet, par exemple https://ntfy.sh/mon-sujet. Elle est secrète : elle est conservée dans le trousseau et ne sera plus affichée.',
      json: 'Reçoit chaque notification dans une requête POST avec un objet JSON. L’adresse est conservée dans le trousseau et ne sera plus affichée.',
    },
    show: 'Afficher l’adresse',
    hide: 'Masquer l’adresse',
    save: 'Enregistrer le webhook',
    saved: 'Webhook enregistré. Envoyez un test pour le vérifier.',
    removeTitle: 'Retirer le webhook ?',
    removeText: 'Son adresse est supprimée du trousseau. Wheelhouse ne peut ni l’afficher ni la restaurer.',
    removed: 'Webhook retiré',
    current: '{kind}, {place}',
  },
  mail: {
    title: 'E-mail',
    address: 'Adresse e-mail',
    hint: 'Envoyé par le programme de messagerie de cet ordinateur : {program}',
    save: 'Enregistrer l’adresse',
    saved: 'Adresse e-mail enregistrée. Envoyez un test pour la vérifier.',
    removeTitle: 'Retirer l’adresse e-mail ?',
    removeText: 'Les notifications ne seront plus envoyées à {address}.',
    removed: 'Adresse e-mail retirée',
    noMailer:
      'Cet ordinateur n’a pas de programme de messagerie que Wheelhouse puisse utiliser. Installez-en un qui fournit sendmail, par exemple msmtp ou Postfix, puis rouvrez cette page.',
  },
  outcomes: {
    sent: 'Envoi réussi',
    accepted: 'Accepté par le programme de messagerie. La remise peut encore échouer.',
    refused: 'Refus (HTTP {status})',
    refusedWith: 'Refus (HTTP {status}) : {message}',
    busy: 'Envoi impossible : trop de requêtes',
    busyFor: 'Envoi impossible : trop de requêtes. Pause demandée : {duration}.',
    redirected:
      'L’adresse répond par une redirection, que Wheelhouse ne suit pas. Saisissez l’adresse finale.',
    page: 'Envoi impossible : l’adresse répond par une page web (HTTP {status}). Vérifiez-la. Votre réseau demande peut-être aussi une connexion préalable.',
    unknown: 'Aucune confirmation : le message n’est peut-être pas arrivé. {problem}',
    unconfirmed: 'Aucune confirmation (HTTP {status}) : le message n’est peut-être pas arrivé.',
    failed: 'Envoi impossible. {problem}',
    noAddress:
      'Envoi impossible : le trousseau n’a plus l’adresse. Retirez le webhook, puis configurez-le à nouveau.',
    dropped: 'Trop de notifications attendaient : la plus ancienne a été abandonnée.',
    noMailer: 'Envoi impossible : cet ordinateur n’a pas de programme de messagerie.',
    mailerFailed: 'Envoi impossible : le programme de messagerie s’est terminé avec le code {code}.',
    mailerFailedWith:
      'Envoi impossible : le programme de messagerie s’est terminé avec le code {code} : {message}',
    mailerEnded: 'Aucune confirmation : le programme de messagerie a été interrompu.',
    mailerSilent: 'Aucune confirmation : le programme de messagerie ne s’est pas terminé en {seconds} s.',
  },
}
