// The words of agents and versions in French, by their English ones.
export default {
  'Talk to the agent': 'Parler à l’agent',
  Called: 'Appelé',
  Recipient: 'Destinataire',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Un nom et une voix suffisent. Tout le reste a une valeur par défaut qui convient à la plupart des appels.',
  'Create the agent': 'Créer l’agent',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Aucune campagne ne peut plus l’utiliser. Les appels qu’il a menés gardent son nom.',
  'Delete the agent': 'Supprimer l’agent',
  'Talk to {name}': 'Parler à {name}',
  Active: 'Actif',
  Inactive: 'Inactif',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Cet agent a été supprimé le {time}. Il est gardé car des appels s’y réfèrent.',
  'Who it is': 'Qui il est',
  'Callers hear it where a greeting says {{agentName}}.':
    'Les appelants l’entendent là où un accueil dit {{agentName}}.',
  'For people only.': 'Pour les humains seulement.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Comme la voix. La reconnaissance l’écoute, et les réponses sont dans cette langue.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Comme la voix : {language}. La reconnaissance l’écoute, et les réponses sont dans cette langue.',
  '{language}. Empty: as the voice.': '{language}. Vide : comme la voix.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Un agent inactif ne peut être choisi par une campagne, ni démarrer avec elle. Les campagnes en cours continuent.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'Dans cet ordre, après ceux de la campagne et de l’entreprise. Un modèle de langage s’en sert de lui-même.',
  'Where it speaks': 'Où il parle',
  'In no campaign yet.': 'Dans aucune campagne encore.',
  'Create one with this agent': 'En créer une avec cet agent',
  'All {total} campaigns of it': 'Toutes ses {total} campagnes',
  'Its {calls} calls': 'Ses {calls} appels',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Qui parle : un nom, une voix, et comment il se conduit en conversation.',
  'No agents yet': 'Pas encore d’agent',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Un agent donne sa voix à une campagne. Ce qu’il sait vient d’une entreprise.',
  'Taking turns': 'Tour de parole',
  'Who speaks first': 'Qui parle en premier',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Par défaut l’agent, aussitôt ; une personne appelée a 1,2 s pour dire allô.',
  'Default (auto)': 'Par défaut (auto)',
  Auto: 'Auto',
  'The agent, at once': 'L’agent, aussitôt',
  'The other side; the agent waits': 'L’autre partie ; l’agent attend',
  Responsiveness: 'Réactivité',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Quand une phrase compte comme finie : 0 attend 1,4 fois plus que d’habitude, 1 seulement 0,6 fois. Plus haut répond plus tôt, et coupe plus souvent. Sans effet si l’entreprise fixe son silence.',
  Patient: 'Patient',
  Quick: 'Rapide',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Avec quelle facilité un appelant arrête l’agent : 0 jamais, 1 à 120 ms de voix ou un mot. Une ligne bruyante en veut moins.',
  'the business’s': 'celle de l’entreprise',
  'Speaks on': 'Continue de parler',
  'Yields at once': 'Cède aussitôt',
  'Protect the greeting': 'Protéger l’accueil',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'Il est dit jusqu’au bout quoi que dise l’appelant : pour les mentions légales.',
  'Default (yes)': 'Par défaut (oui)',
  'Default (no)': 'Par défaut (non)',
  'Silence before a reminder, in seconds': 'Silence avant une relance, en secondes',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Avant « Êtes-vous toujours là ? » et avant l’au revoir. Par défaut 8',
  'Reminders before the goodbye': 'Relances avant l’au revoir',
  '{reminders}. Default 2': '{reminders}. Par défaut 2',
  Words: 'Mots',
  Keywords: 'Mots-clés',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Noms et termes que la reconnaissance doit attendre, en plus des prestations et questions de l’entreprise.',
  'Invisalign, Dr Okafor': 'Invisalign, Dr Martin',
  'After a lost line': 'Après une coupure',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Dit quand un appel reprend après une brève coupure. Par défaut : « Désolé, je vous ai perdu un instant. Vous disiez ? » dans la langue de l’agent',
  'As the language has it': 'Selon la langue',
  'Numbers in groups': 'Numéros par groupes',
  'After each group of a number or a spelling, while more of it is to come.':
    'Après chaque groupe d’un numéro ou d’une épellation, tant qu’il en reste.',
  'Default (a word)': 'Par défaut (un mot)',
  'A word: "Okay"': 'Un mot : « D’accord »',
  'The group, repeated': 'Le groupe, répété',
  Nothing: 'Rien',
  'Backchannel words': 'Mots d’écoute',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Ils encouragent seulement et n’arrêtent jamais l’agent, en plus des usuels de la langue.',
  'right, go on': 'd’accord, allez-y',
  Pronunciations: 'Prononciations',
  'What the voice says in place of a word. The transcript keeps the word.':
    'Ce que la voix dit à la place d’un mot. La transcription garde le mot.',
  pronunciation: 'prononciation',
  'Add a pronunciation': 'Ajouter une prononciation',
  Said: 'Dit',
  'The built-in receptionist has no model: these have no effect on it.':
    'L’accueil intégré n’a pas de modèle : ceci est sans effet sur lui.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Un autre modèle du serveur configuré, pour cet agent. Par défaut : OPENAI_MODEL du service',
  'As the service': 'Comme le service',
  Temperature: 'Température',
  'Lower is more alike from call to call, higher more varied.':
    'Plus bas : plus semblable d’un appel à l’autre ; plus haut : plus varié.',
  Alike: 'Semblable',
  Varied: 'Varié',
  'Wait for the first word (ms)': 'Attendre le premier mot (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, dès la fin de la phrase de l’appelant ; ensuite la réponse a échoué. Par défaut : comme le service, 8000',
  "Prepare replies while a turn's end is uncertain":
    'Préparer des réponses tant que la fin d’une phrase est incertaine',
  'Quicker answers, about a third more requests to the model.':
    'Réponses plus rapides, environ un tiers de requêtes en plus au modèle.',
  'Answer with the speech-to-speech model': 'Répondre avec le modèle voix à voix',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Si le service en a un. Non : reconnaissance, modèle de langage et voix répondent.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Un autre modèle du même fournisseur, pour cet agent. Par défaut : celui du service',
  'Its voice': 'Sa voix',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Par le nom du fournisseur. L’accueil reste dans la voix de l’agent. Par défaut : celle du service',
  'Further languages': 'Autres langues',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Un appel continue dans l’une d’elles dès que l’appelant la demande, tape sa touche ou est entendu la parler : reconnaissance, voix et réponses changent. Votre accueil devrait le dire : « For English, press 2. »',
  'Additional languages': 'Langues supplémentaires',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'En codes : en, fr-CA. Anglais, allemand, espagnol, français, italien, portugais, néerlandais ; dans d’autres, un modèle de langage peut répondre tout de même.',
  'Key that leads back to {own}': 'Touche qui ramène à {own}',
  Key: 'Touche',
  'Voice of the speech-to-speech model': 'Voix du modèle voix à voix',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Par le nom du fournisseur, si le service a un tel modèle. Par défaut : celle de l’agent',
  'As the agent': 'Comme l’agent',
  'Names and terms': 'Noms et termes',
  'What the recogniser should expect in it.': 'Ce que la reconnaissance doit y attendre.',
  'The agent’s, or one that speaks it': 'Celle de l’agent, ou une qui la parle',
  '{voiceId}, no longer offered': '{voiceId}, n’est plus proposée',
  'Saved. It takes effect on the next call.': 'Enregistré. Effectif dès le prochain appel.',
  'Saved as a draft. Publish it on the tab Versions.': 'Enregistré comme brouillon. Publiez-le sous Versions.',
  'Stop version {version}?': 'Arrêter la version {version} ?',
  'All calls obey the published version again. The draft stays.':
    'Tous les appels suivent à nouveau la version publiée. Le brouillon reste.',
  'Stop it': 'L’arrêter',
  Stopped: 'Arrêtée',
  'Version {version} leads {share} % of the calls': 'La version {version} mène {share} % des appels',
  'Version {version} was as good, and is published': 'La version {version} était aussi bonne, et est publiée',
  'Version {version} was worse, and has gone back': 'La version {version} était moins bonne, et a été retirée',
  'Version {version} was tried, and stopped': 'La version {version} a été essayée, puis arrêtée',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    '{ended} appels sur {calls} sont terminés, et {others} avec la version {version}. Elle est publiée quand tous le sont, et se retire d’elle-même s’ils sont moins bons.',
  'after {count} of its calls.': 'après {count} de ses appels.',
  'Calls that failed': 'Appels échoués',
  'Put through to a person': 'Passés à une personne',
  'Hung up within 20 s': 'Raccrochés en 20 s',
  'Answers after': 'Répond après',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure} : {canary} ({calls} appels), avec la version publiée {published} ({others} appels).',
  'in another order': 'dans un autre ordre',
  nothing: 'rien',
  yes: 'oui',
  no: 'non',
  'Changes wait until they are published': 'Les modifications attendent d’être publiées',
  'Changes count from the next call on': 'Les modifications valent dès le prochain appel',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'Celles de l’entreprise, des agents de ses campagnes et de leurs outils. Documents et musique d’attente valent aussitôt.',
  none: 'aucun',
  '{count} answered': '{count} pris',
  'answers after {time}': 'répond après {time}',
  '({low} to {high})': '(de {low} à {high})',
  'put through to a person': 'passés à une personne',
  'hung up within 20 s': 'raccrochés en 20 s',
  failed: 'échoués',
  'Bring back version {number}?': 'Reprendre la version {number} ?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Elle redevient ce qu’elle était, dès le prochain appel, ou comme brouillon là où les modifications attendent. L’état actuel reste dans cette liste.',
  'Bring it back': 'La reprendre',
  'Version {number} is back': 'La version {number} est de retour',
  Version: 'Version',
  Now: 'Maintenant',
  Draft: 'Brouillon',
  'What changed': 'Ce qui a changé',
  'Version {restoredFrom} brought back': 'Version {restoredFrom} reprise',
  'The first that is kept': 'La première conservée',
  'Bring back version {number}': 'Reprendre la version {number}',
  'Bring back': 'Reprendre',
  'Publish what waits?': 'Publier ce qui attend ?',
  'The next call obeys it: {names}.': 'Le prochain appel le suit : {names}.',
  Publish: 'Publier',
  Published: 'Publié',
  Discarded: 'Abandonné',
  'Discard what waits?': 'Abandonner ce qui attend ?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Cela redevient ce que les appels suivent maintenant : {names}. Les versions restent dans la liste.',
  'Waiting to be published': 'En attente de publication',
  'version {version}, calls obey {published}': 'version {version}, les appels suivent la {published}',
  'Values of headers only': 'Seulement des valeurs d’en-têtes',
  agent: 'agent',
  business: 'entreprise',
  tool: 'outil',
  'Try it on {share} % of the calls first?': 'L’essayer d’abord sur {share} % des appels ?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'Le brouillon mène {share} % des appels, toujours ceux des mêmes numéros. Après {calls}, il est publié, sauf s’ils sont moins bons que les autres : il se retire alors de lui-même.',
  'Try it': 'L’essayer',
  'It leads {share} % of the calls': 'Il mène {share} % des appels',
  'Try on {share} % first': 'Essayer d’abord sur {share} %',
  'As it is stored': 'Tel qu’il est enregistré',
};
