// The words of webhooks, API keys and the audit log in French, by their English ones.
export default {
  'All deliveries': 'Tous les envois',
  'Failed only': 'Échecs seulement',
  'Delivered only': 'Remis seulement',
  Deliveries: 'Envois',
  Show: 'Afficher',
  'Nothing sent yet': 'Rien d’envoyé pour l’instant',
  'No such delivery': 'Aucun envoi de ce genre',
  'Send a test': 'Envoyer un test',
  'Deliveries are kept for 30 days.': 'Les envois sont gardés 30 jours.',
  Event: 'Événement',
  Time: 'Durée',
  Replay: 'Rejouer',
  'Attempt {number}': 'Tentative {number}',
  Fault: 'Erreur',
  Payload: 'Contenu',
  'Answer of the receiver': 'Réponse du destinataire',
  'Without a body.': 'Sans contenu.',
  'A replay sends the same bytes under the same webhook-id, with a new signature.':
    'Rejouer envoie les mêmes octets sous le même webhook-id, avec une nouvelle signature.',
  'An inbound or browser call has arrived': 'Un appel entrant ou du navigateur est arrivé',
  'An outbound call is being placed': 'Un appel sortant est en cours d’émission',
  'A call has ended, answered or not: with transcript and summary':
    'Un appel est terminé, avec ou sans réponse : avec transcription et résumé',
  'Beside call.ended: nobody answered, or it broke down':
    'En plus de call.ended : personne n’a répondu, ou il a échoué',
  'Beside call.ended: an answering machine took it': 'En plus de call.ended : un répondeur l’a pris',
  'The caller was handed to a person': 'L’appelant a été passé à une personne',
  'A call goes on in another language': 'Un appel continue dans une autre langue',
  'A call went on after its engine had died or was replaced':
    'Un appel a continué après la panne ou le remplacement de son moteur',
  'What you want to know of a call was found after its end':
    'Ce que vous voulez savoir d’un appel a été trouvé après sa fin',
  'An appointment was booked on a call': 'Un rendez-vous a été pris pendant un appel',
  'An appointment was moved, cancelled or booked again': 'Un rendez-vous a été déplacé, annulé ou repris',
  'A contact asked not to be called again': 'Un contact a demandé à ne plus être appelé',
  'Every contact of a campaign has been dealt with': 'Tous les contacts d’une campagne ont été traités',
  'A port-in order has changed its status': 'Une portabilité a changé de statut',
  'A version that led a share of the calls was published, or has gone back':
    'Une version qui menait une part des appels a été publiée, ou retirée',
  'The outbound minutes of an hour or a day have reached a limit':
    'Les minutes sortantes d’une heure ou d’un jour ont atteint une limite',
  'The receiver answered 410 Gone, so the service stopped delivering.':
    'Le destinataire a répondu 410 Gone : le service n’envoie plus.',
  'Every attempt of five days failed, so the service stopped delivering.':
    'Toutes les tentatives de cinq jours ont échoué : le service n’envoie plus.',
  'It is switched off.': 'Il est désactivé.',
  'Send it': 'L’envoyer',
  'A complete sample, signed like any other. It is sent once and never repeated.':
    'Un exemple complet, signé comme les autres. Il est envoyé une fois, jamais répété.',
  URL: 'URL',
  'HTTPS, on a public address. It must answer a signed probe with 2xx within 10 seconds.':
    'HTTPS, à une adresse publique. Elle doit répondre 2xx à un essai signé en 10 secondes.',
  'Choose none': 'Aucun',
  'Choose all': 'Tous',
  'Choose at least one event.': 'Choisissez au moins un événement.',
  'Create the webhook': 'Créer le webhook',
  'Webhook created': 'Webhook créé',
  'Secret of its signatures': 'Secret de ses signatures',
  'Give it to your receiver: each delivery carries {header}, an HMAC-SHA256 with the SHA-256 of this secret as its key.':
    'Donnez-le à votre destinataire : chaque envoi porte {header}, un HMAC-SHA256 dont la clé est le SHA-256 de ce secret.',
  'New secret: the old one is no longer used': 'Nouveau secret : l’ancien n’est plus utilisé',
  'Events of this time are not sent later. When the receiver works, switch it on: delivery starts with the next event.':
    'Les événements de cette période ne sont pas envoyés après coup. Quand le destinataire fonctionne, activez-le : l’envoi reprend au prochain événement.',
  'Failed since the last success': 'Échecs depuis la dernière réussite',
  'Last delivery': 'Dernier envoi',
  'Rotate the secret?': 'Renouveler le secret ?',
  'Deliveries to {url} are signed with the new secret from now on. A receiver that still has the old one refuses them until you have changed it there.':
    'Les envois à {url} sont désormais signés avec le nouveau secret. Un destinataire qui a encore l’ancien les refuse tant que vous ne l’y avez pas changé.',
  'Rotate the secret': 'Renouveler le secret',
  'Delete this webhook?': 'Supprimer ce webhook ?',
  '{url} receives no more events. Deliveries waiting for another attempt are dropped.':
    '{url} ne reçoit plus d’événements. Les envois en attente d’un nouvel essai sont abandonnés.',
  'Delete the webhook': 'Supprimer le webhook',
  'Webhook deleted': 'Webhook supprimé',
  'Only a digest of it is kept: a lost secret is replaced, not looked up.':
    'Seule une empreinte est gardée : un secret perdu se remplace, il ne se retrouve pas.',
  'The log of its deliveries stays in the service for 30 days.':
    'L’historique de ses envois reste 30 jours dans le service.',
  'Your system is told of calls, appointments and campaigns as they happen.':
    'Votre système est informé des appels, rendez-vous et campagnes au fil de l’eau.',
  'No webhooks yet': 'Pas encore de webhooks',
  'Enter an HTTPS address of your system and choose the events it should receive. Each delivery is signed, and retried for up to two days if your system does not answer.':
    'Saisissez une adresse HTTPS de votre système et choisissez les événements à recevoir. Chaque envoi est signé et réessayé pendant deux jours si votre système ne répond pas.',
  '{first}, {second} and {count} more': '{first}, {second} et {count} autres',
  'Stopped after failures': 'Arrêté après des échecs',
  '1 failed attempt': '1 tentative échouée',
  '{count} failed attempts': '{count} tentatives échouées',
  Webhook: 'Webhook',
  'Calls, recordings, contacts, settings': 'Appels, enregistrements, contacts, paramètres',
  'Place, end and control calls, listen in, start campaigns':
    'Passer, terminer et piloter des appels, écouter, démarrer des campagnes',
  'Create, change and delete everything else': 'Créer, modifier et supprimer tout le reste',
  'When it is revoked': 'Quand elle est révoquée',
  'After 30 days': 'Après 30 jours',
  'After 90 days': 'Après 90 jours',
  'After a year': 'Après un an',
  'New API key': 'Nouvelle clé d’API',
  'Revoke “{name}”?': 'Révoquer « {name} » ?',
  'Programs that use it are refused from now on. A revoked key cannot be brought back.':
    'Les programmes qui l’utilisent sont désormais refusés. Une clé révoquée ne revient pas.',
  'Revoke the key': 'Révoquer la clé',
  'API key revoked': 'Clé d’API révoquée',
  'For programs that use the API. A key can do what you let it do with calls, campaigns and numbers, and nothing with passwords or people.':
    'Pour les programmes qui utilisent l’API. Une clé peut ce que vous lui permettez avec appels, campagnes et numéros, et rien avec les mots de passe ou les personnes.',
  'No API keys yet': 'Pas encore de clés d’API',
  'Make one for each program, to see which keys are still in use and to revoke them one by one.':
    'Créez-en une par programme : vous verrez lesquelles servent encore et pourrez les révoquer une à une.',
  May: 'Peut',
  Everything: 'Tout',
  Never: 'Jamais',
  Ends: 'Fin',
  'Revoke {name}': 'Révoquer {name}',
  Revoke: 'Révoquer',
  'API key “{name}”': 'Clé d’API « {name} »',
  'API key': 'Clé d’API',
  'The key': 'La clé',
  'Create the key': 'Créer la clé',
  'The program that will use it': 'Le programme qui l’utilisera',
  'Nightly import': 'Import de nuit',
  'It may': 'Elle peut',
  'It ends': 'Elle expire',
  'Who did what in this account. Names of fields are noted, their values never.':
    'Qui a fait quoi dans ce compte. Les noms des champs sont notés, jamais leurs valeurs.',
  'Who did what in the installation. Names of fields are noted, their values never.':
    'Qui a fait quoi dans l’installation. Les noms des champs sont notés, jamais leurs valeurs.',
  'Command line': 'Ligne de commande',
  Action: 'Action',
  Record: 'Objet',
  Fields: 'Champs',
  'IP address': 'Adresse IP',
  'Nothing fits these filters': 'Rien ne correspond à ces filtres',
  'Nothing is noted yet': 'Rien n’est encore noté',
  'Each change of agents, businesses, campaigns, numbers and people is noted here, each sign-in, and each recording that somebody has heard. Entries stay for 400 days.':
    'Chaque modification d’agents, d’entreprises, de campagnes, de numéros et de personnes est notée ici, chaque connexion, et chaque enregistrement écouté. Les entrées restent 400 jours.',
  'by an API key': 'par une clé d’API',
  'Only entries of {name}': 'Seulement les entrées de {name}',
  Appointment: 'Rendez-vous',
  'Model settings': 'Paramètres des modèles',
  'Port order': 'Portabilité',
  'Sign-in': 'Connexion',
  User: 'Utilisateur',
  'Website key': 'Clé de site web',
};
