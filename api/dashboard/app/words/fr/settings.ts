// The words of settings and billing in French, by their English ones.
export default {
  'Shown in the mails that invite people': 'Figure dans les e-mails d’invitation',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'Vos minutes mensuelles y sont comptées. Entreprises et campagnes ont le leur.',
  'Default campaign': 'Campagne par défaut',
  'It answers calls to numbers that serve no campaign': 'Elle prend les appels aux numéros sans campagne',
  'None: such calls are refused': 'Aucune : ces appels sont refusés',
  'Keep calls for … days': 'Garder les appels … jours',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'Dès la nuit prochaine, les appels plus anciens sont effacés, avec enregistrement et transcription. C’est irréversible.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'Les appels plus anciens sont effacés chaque nuit, avec enregistrement et transcription. Vide : ils sont gardés.',
  Plan: 'Formule',
  Account: 'Compte',
  'Your password is changed. All other sessions have ended.':
    'Votre mot de passe est changé. Toutes les autres sessions sont terminées.',
  'Change the password': 'Changer le mot de passe',
  'Forgot the old one?': 'L’ancien oublié ?',
  'Old password': 'Ancien mot de passe',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 caractères ou plus. Toutes les autres sessions se terminent ; les clés d’API restent.',
  'Your recovery codes': 'Vos codes de secours',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Chacun vous connecte une fois si votre téléphone est perdu. Affichés cette seule fois : conservez-les en lieu sûr.',
  'Recovery codes': 'Codes de secours',
  'I have saved them': 'Je les ai conservés',
  'Two-factor sign-in is off': 'La connexion à deux facteurs est désactivée',
  On: 'Activé',
  'Two-factor sign-in': 'Connexion à deux facteurs',
  'Signing in takes the password and a code of your authenticator app.':
    'La connexion demande le mot de passe et un code de votre application d’authentification.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'En plus du mot de passe, un code d’une application sur votre téléphone : un mot de passe qui fuite ne suffit alors pas.',
  'Switch it off': 'Le désactiver',
  'Set it up': 'Le configurer',
  'Switch it on': 'L’activer',
  'Scan this with your authenticator app, or type the secret into it.':
    'Scannez ceci avec votre application, ou saisissez-y le secret.',
  'QR code of the secret below': 'Code QR du secret ci-dessous',
  'Six digits that the app shows now': 'Six chiffres que l’application affiche maintenant',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'La connexion ne demande alors que le mot de passe. Les codes de secours ne marchent plus.',
  'From the app, or a recovery code': 'De l’application, ou un code de secours',
  'Ended the session': 'Session terminée',
  'End all other sessions?': 'Terminer toutes les autres sessions ?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Tout autre navigateur ou programme connecté en votre nom doit se reconnecter. Les clés d’API restent.',
  'End all others': 'Terminer toutes les autres',
  'Ended one session': 'Une session terminée',
  'Ended {count} sessions': '{count} sessions terminées',
  Sessions: 'Sessions',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Où vous êtes connecté. Une session inutilisée une semaine se termine d’elle-même.',
  Device: 'Appareil',
  'This one': 'Celui-ci',
  'Signed in': 'Connecté',
  'Identity provider': 'Fournisseur d’identité',
  'Last used': 'Dernière utilisation',
  'End this session': 'Terminer cette session',
  'End this session: {device}, {address}': 'Terminer cette session : {device}, {address}',
  'unknown address': 'adresse inconnue',
  Team: 'Équipe',
  Security: 'Sécurité',
  'A mail with the link is on its way to {email}': 'Un e-mail avec le lien est en route vers {email}',
  'Remove {email}?': 'Retirer {email} ?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'Ses sessions et clés d’API se terminent aussitôt. Ce qui a été configuré reste.',
  '{email} is removed': '{email} est retiré',
  Invite: 'Inviter',
  'Send the invitation': 'Envoyer l’invitation',
  'No mail server is set: send this link to {email} yourself':
    'Aucun serveur de messagerie : envoyez vous-même ce lien à {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Il définit le mot de passe, et vaut 7 jours. Avec SMTP_URL, le service l’envoie.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Un lien définit le mot de passe ; il vaut 7 jours, et un nouveau annule le précédent. Chacun dans le compte voit les mêmes données, et peut inviter et retirer.',
  '(you)': '(vous)',
  Role: 'Rôle',
  Viewer: 'Lecteur',
  Operator: 'Opérateur',
  Member: 'Membre',
  Admin: 'Administrateur',
  Invited: 'Invité',
  'Two-factor': 'Deux facteurs',
  'New link for {email}': 'Nouveau lien pour {email}',
  'New link': 'Nouveau lien',
  'Remove {email}': 'Retirer {email}',
  'Costs of the calls': 'Coûts des appels',
  'Minutes of this month': 'Minutes de ce mois',
  'Minutes used': 'Minutes utilisées',
  'minutes used, without a limit': 'minutes utilisées, sans limite',
  'of {limit} minutes used': 'minutes utilisées sur {limit}',
  'Counted from zero again on {time}.': 'Le compte repart de zéro le {time}.',
  'Minutes beyond the plan cost $0.05 each.': 'Les minutes au-delà de la formule coûtent 0,05 $ chacune.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'Les minutes sont épuisées : les appels sortants sont refusés, les entrants pris.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Quand elles sont épuisées, les appels sortants sont refusés ; les entrants sont toujours pris.',
  Payment: 'Paiement',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'Rien n’est facturé sur cette installation. Ce que coûteraient numéros et minutes est seulement noté ci-dessous.',
  Card: 'Carte',
  '{brand} ending in {digits}': '{brand} finissant par {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Pas encore de carte : les numéros payants ne peuvent être achetés.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Les cartes s’ajoutent sur une page de Stripe ; la dernière ajoutée est débitée.',
  'Use another card': 'Utiliser une autre carte',
  'Add a card': 'Ajouter une carte',
  Charges: 'Frais',
  'No charges': 'Aucun frais',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Les numéros à prix mensuel et les minutes au-delà de la formule sont notés ici.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'Les numéros sont facturés par mois civil, les minutes au-delà de la formule à la fin du mois.',
  Date: 'Date',
  For: 'Pour',
  'Number {phoneNumber}': 'Numéro {phoneNumber}',
  'Minutes beyond the plan': 'Minutes au-delà de la formule',
  Recorded: 'Noté',
  Paid: 'Payé',
  Refunded: 'Remboursé',
  '{browser} on {system}': '{browser} sur {system}',
};
