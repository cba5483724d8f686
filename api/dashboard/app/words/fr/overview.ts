// The words of the overview, and of live and browser calls, in French, by their English ones.
export default {
  'As a table': 'En tableau',
  'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.':
    'Les navigateurs ne donnent le micro qu’aux pages sécurisées. Ouvrez cette page en https://, ou par http://localhost sur la machine elle-même.',
  'The microphone was refused. Allow it for this page in the browser’s address bar, then try again.':
    'Le micro a été refusé. Autorisez-le pour cette page dans la barre d’adresse, puis réessayez.',
  'No microphone was found. Connect one, then try again.': 'Aucun micro trouvé. Branchez-en un, puis réessayez.',
  'The microphone is in use by another program. Close that program, then try again.':
    'Un autre programme utilise le micro. Fermez-le, puis réessayez.',
  'The microphone could not be opened. Check it in the settings of the browser and the system.':
    'Le micro n’a pas pu être ouvert. Vérifiez-le dans les réglages du navigateur et du système.',
  'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.':
    'La connexion audio à {host} est injoignable depuis ce navigateur. Derrière un proxy, MEDIA_WS_PUBLIC_URL dit où les navigateurs la trouvent.',
  Close: 'Fermer',
  'A call from this browser, answered as a phone call to the campaign would be.':
    'Un appel depuis ce navigateur, pris comme le serait un appel téléphonique à la campagne.',
  'Try it by text': 'Essayer par écrit',
  'No campaigns yet': 'Pas encore de campagne',
  'A campaign says which agent speaks, and for which business. Make one, then talk to it here.':
    'Une campagne dit quel agent parle, et pour quelle entreprise. Créez-en une, puis parlez-lui ici.',
  '{used} of {limit} minutes of this month are used; they begin again on {date}.':
    '{used} minutes sur {limit} sont utilisées ce mois-ci ; elles recommencent le {date}.',
  'Without minutes no call is placed; callers are answered all the same.':
    'Sans minutes, aucun appel n’est passé ; les appels reçus sont toujours pris.',
  'The webhook [{url}] was switched off: its address answered that it is gone.':
    'Le webhook [{url}] a été désactivé : son adresse répond qu’elle n’existe plus.',
  'The webhook [{url}] was switched off: it failed for five days.':
    'Le webhook [{url}] a été désactivé : il a échoué pendant cinq jours.',
  'The trunk [{name}] does not answer: calls through it fail.':
    'Le trunk [{name}] ne répond pas : les appels par lui échouent.',
  'The trunk [{name}] could not be registered: calls through it fail.':
    'Le trunk [{name}] n’a pas pu s’enregistrer : les appels par lui échouent.',
  'First steps': 'Premiers pas',
  'Do not show again': 'Ne plus afficher',
  'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.':
    'Donnez l’adresse de votre site web : horaires, prix et réponses y sont lus, vous choisissez une voix et parlez à votre agent. Environ cinq minutes.',
  'Go on with the set-up': 'Poursuivre la configuration',
  'Talk to the demo': 'Parler à la démo',
  'Hear the demo answer': 'Écouter la démo répondre',
  'From this browser: ask for the opening hours, interrupt it, book an appointment.':
    'Depuis ce navigateur : demandez les horaires, interrompez-le, prenez un rendez-vous.',
  'Make an agent': 'Créer un agent',
  'A name, a voice and a manner.': 'Un nom, une voix et une manière.',
  'Describe your business': 'Décrire votre entreprise',
  'Opening hours, services and questions: what the agent knows.':
    'Horaires, prestations et questions : ce que sait l’agent.',
  'Join them in a campaign': 'Les réunir dans une campagne',
  'It answers calls to its numbers, and calls lists of contacts.':
    'Elle prend les appels à ses numéros, et appelle des listes de contacts.',
  'Connect a trunk': 'Connecter un trunk',
  'The account at your telephone provider, or your own exchange.':
    'Le compte chez votre opérateur, ou votre propre standard.',
  'To the trunks': 'Aux trunks',
  'Get a number': 'Obtenir un numéro',
  'Give it to the campaign that is to answer it.': 'Donnez-le à la campagne qui doit y répondre.',
  'To the numbers': 'Aux numéros',
  'Make the first call': 'Passer le premier appel',
  'Call the number, or place a call.': 'Appelez le numéro, ou passez un appel.',
  '(done)': '(fait)',
  Today: 'Aujourd’hui',
  '7 days': '7 jours',
  'The last 7 days': 'Les 7 derniers jours',
  '30 days': '30 jours',
  'The last 30 days': 'Les 30 derniers jours',
  '90 days': '90 jours',
  'The last 90 days': 'Les 90 derniers jours',
  'After the first call you see here': 'Après le premier appel, vous verrez ici',
  'Calls by day and hour': 'Appels par jour et par heure',
  'How many were answered, by the agent or a machine, and how many were not.':
    'Combien ont été pris, par l’agent ou un répondeur, et combien non.',
  Waits: 'Attentes',
  'How long callers waited for each answer: half of the calls, and 95 in 100.':
    'Combien de temps les appelants ont attendu chaque réponse : dans la moitié des appels, et dans 95 sur 100.',
  'From answer to end, by day; from the second day each figure beside the day before.':
    'Du décroché à la fin, par jour ; dès le deuxième jour, chaque chiffre à côté de celui de la veille.',
  'today {now}, yesterday {before}': 'aujourd’hui {now}, hier {before}',
  'Live calls': 'Appels en cours',
  'Live calls, {maxCalls} at most': 'Appels en cours, {maxCalls} au plus',
  Answered: 'Pris',
  'Wait, half / 95 in 100 within': 'Attente, moitié / 95 sur 100 en',
  'Turns failed, last hour': 'Réponses échouées, dernière heure',
  Failed: 'Échoué',
  'Live now': 'En ce moment',
  'All live calls': 'Tous les appels en cours',
  'Why calls failed': 'Pourquoi des appels ont échoué',
  Unknown: 'Inconnu',
  'Latest failures': 'Derniers échecs',
  'Calls by day': 'Appels par jour',
  'Answering machine': 'Répondeur',
  'Not answered': 'Sans réponse',
  'How long callers waited for an answer, in ms': 'Combien de temps les appelants ont attendu, en ms',
  'How long callers waited for an answer, by day': 'Combien de temps les appelants ont attendu, par jour',
  'Half of the calls within': 'La moitié des appels en',
  '95 in 100 calls within': '95 appels sur 100 en',
  'People notice a wait from about {ms} ms.': 'On remarque une attente à partir de {ms} ms environ.',
  'Minutes by day': 'Minutes par jour',
  'From answer to end': 'Du décroché à la fin',
  'When people call': 'Quand les gens appellent',
  'No call of these days has ended yet.': 'Aucun appel de ces jours n’est encore terminé.',
  'When people call, by hour': 'Quand les gens appellent, par heure',
  Hour: 'Heure',
  'Of the last {count} calls.': 'Des {count} derniers appels.',
  'Calls that run now. Open one to read along, or listen in, say a word, take it over.':
    'Appels en cours. Ouvrez-en un pour le lire, l’écouter, dire un mot ou le reprendre.',
  'Running calls': 'Appels en cours',
  'Nobody is on the line': 'Personne n’est en ligne',
  'Calls appear here by themselves as soon as they ring.':
    'Les appels apparaissent ici d’eux-mêmes dès qu’ils sonnent.',
  With: 'Avec',
  Direction: 'Sens',
  Inbound: 'Entrant',
  Outbound: 'Sortant',
  State: 'État',
  'Since it began': 'Depuis le début',
  'This browser uses the microphone at its own rate only. Use another one to speak.':
    'Ce navigateur n’utilise le micro qu’à sa propre fréquence. Prenez-en un autre pour parler.',
  'You may no longer listen: sign in again.': 'Vous ne pouvez plus écouter : reconnectez-vous.',
  'The line to the engine was lost.': 'La liaison avec le moteur a été perdue.',
  'Listen in': 'Écouter',
  Connecting: 'Connexion',
  'Above the caller, below the agent.': 'En haut l’appelant, en bas l’agent.',
  'You talk to the caller, and the agent is silent.': 'Vous parlez à l’appelant, et l’agent se tait.',
  'The agent hears you, the caller does not.': 'L’agent vous entend, l’appelant non.',
  'Somebody else talks to the caller.': 'Quelqu’un d’autre parle à l’appelant.',
  'The agent is muted.': 'L’agent est muet.',
  'The recording is silence for now.': 'L’enregistrement est muet pour l’instant.',
  'Stop whispering': 'Ne plus chuchoter',
  'Whisper to the agent': 'Chuchoter à l’agent',
  'Hand back to the agent': 'Rendre à l’agent',
  'Take over': 'Reprendre l’appel',
  'Have the agent say': 'Faire dire à l’agent',
  'In the agent’s voice, as soon as both are silent.': 'Avec la voix de l’agent, dès que les deux se taisent.',
  'Say it': 'Le dire',
  'Let the agent speak': 'Laisser parler l’agent',
  'Mute the agent': 'Rendre l’agent muet',
  'Record again': 'Enregistrer de nouveau',
  'Mask the recording': 'Masquer l’enregistrement',
  'Days are those of {zone}: there are too many calls for others.':
    'Les jours sont ceux de {zone} : il y a trop d’appels pour d’autres.',
};
