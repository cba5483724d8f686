// The words of tools in French, by their English ones.
export default {
  'must be an object: { … }': 'doit être un objet : { … }',
  'Web address': 'Adresse web',
  'Its tools': 'Ses outils',
  'Read them again': 'Les relire',
  'They could not be read the last time.': 'Ils n’ont pas pu être lus la dernière fois.',
  'Not read yet.': 'Pas encore lus.',
  'Read {ago}, and again each hour.': 'Lus {ago}, puis à nouveau toutes les heures.',
  'The server does not offer it any more.': 'Le serveur ne le propose plus.',
  'Tools that are offered': 'Outils proposés',
  'All of them, also those to come': 'Tous, y compris ceux à venir',
  Arguments: 'Arguments',
  'What the model has to give. A fixed one is JSON Schema with {fixed}, which the model does not see; one with {filled} is filled where it is left out.':
    'Ce que le modèle doit donner. Un argument fixe est du JSON Schema avec {fixed}, que le modèle ne voit pas ; avec {filled}, il est complété s’il manque.',
  'This schema says more than rows can show. It is edited as JSON.':
    'Ce schéma dit plus que ce que des lignes peuvent montrer. Il se modifie en JSON.',
  'The rows come back when the JSON is valid.': 'Les lignes reviennent quand le JSON est valide.',
  'As JSON Schema': 'En JSON Schema',
  argument: 'argument',
  'Add an argument': 'Ajouter un argument',
  number: 'numero',
  'As it stands on the receipt': 'Comme sur le reçu',
  Required: 'Obligatoire',
  'Keep no value of it': 'Ne garder aucune valeur',
  'A PIN, a card number: masked in the record of calls.':
    'Un code, un numéro de carte : masqué dans l’historique des appels.',
  'GET: arguments in the query': 'GET : arguments dans l’adresse',
  'POST: arguments as JSON': 'POST : arguments en JSON',
  'PUT: arguments as JSON': 'PUT : arguments en JSON',
  'PATCH: arguments as JSON': 'PATCH : arguments en JSON',
  'DELETE: arguments in the query': 'DELETE : arguments dans l’adresse',
  'What it does': 'Ce qu’il fait',
  'One HTTP request': 'Une requête HTTP',
  'A server of tools (MCP)': 'Un serveur d’outils (MCP)',
  'Stands before the names of its tools. Letters, digits and underscores.':
    'Précède les noms de ses outils. Lettres, chiffres et tirets bas.',
  'As the model calls it: letters, digits and underscores.':
    'Comme le modèle l’appelle : lettres, chiffres et tirets bas.',
  'For people only: the server describes its tools itself.':
    'Pour les personnes : le serveur décrit lui-même ses outils.',
  'For the model: what it does, and when to use it.': 'Pour le modèle : ce qu’il fait, et quand l’utiliser.',
  'Finds an order by its number. Use it when the caller asks where an order is.':
    'Trouve une commande par son numéro. À utiliser quand l’appelant demande où est sa commande.',
  'What is asked': 'Ce qui est demandé',
  'HTTPS. Streamable HTTP is spoken.': 'HTTPS. Le protocole est Streamable HTTP.',
  'HTTPS. {{name}} in path or query is an argument, a variable of the call, or callId, callerNumber, callerName, businessName, agentName, direction.':
    'HTTPS. {{name}} dans l’adresse est un argument, une variable de l’appel, ou callId, callerNumber, callerName, businessName, agentName, direction.',
  Method: 'Méthode',
  'Kept sealed, and never shown again. {{name}} is a variable that the call began with.':
    'Gardés chiffrés, jamais montrés à nouveau. {{name}} est une variable donnée au début de l’appel.',
  '{span}, for the whole run. Default {value}': '{span}, pour toute l’exécution. Par défaut {value}',
  'In the call': 'Pendant l’appel',
  'Who waits': 'Qui attend',
  'The agent waits for the answer': 'L’agent attend la réponse',
  'The talk goes on; the answer is a turn of its own':
    'La conversation continue ; la réponse vient ensuite d’elle-même',
  'Said meanwhile': 'Dit en attendant',
  'Empty: "One moment, please." where it takes long.': 'Vide : « Un instant, s’il vous plaît. » si c’est long.',
  'As it starts.': 'Au début.',
  'I am looking that up.': 'Je vérifie cela.',
  'When the caller speaks again': 'Quand l’appelant reparle',
  'Finish it, and keep the answer for later': 'Le finir et garder la réponse pour plus tard',
  'Give it up': 'L’abandonner',
  'Without a language model: when callers say': 'Sans modèle de langage : quand les appelants disent',
  'The built-in receptionist uses it at these words. Enter or a comma ends a phrase.':
    'L’accueil intégré l’utilise à ces mots. Entrée ou une virgule termine une expression.',
  'where is my order': 'où est ma commande',
  'What is kept of the answer': 'Ce qui est gardé de la réponse',
  'They stand in later prompts, in other tools, and on the call. The path leads to the value in the answer: customer.plan':
    'Elles figurent dans les consignes suivantes, dans d’autres outils et sur l’appel. Le chemin mène à la valeur dans la réponse : customer.plan',
  'None: only the model is told.': 'Aucune : seul le modèle est informé.',
  Path: 'Chemin',
  'It can be tried as soon as it is made. No call uses it before you choose it for an agent, a business or a campaign.':
    'Il peut être essayé dès qu’il est créé. Aucun appel ne l’utilise avant que vous le choisissiez pour un agent, une entreprise ou une campagne.',
  'Create the tool': 'Créer l’outil',
  'Calls that have begun go on with it. One that an agent, a business or a campaign has cannot be deleted.':
    'Les appels commencés continuent avec lui. Un outil qu’a un agent, une entreprise ou une campagne ne peut pas être supprimé.',
  'Delete the tool': 'Supprimer l’outil',
  'What agents may ask your own systems in a call.':
    'Ce que les agents peuvent demander à vos propres systèmes pendant un appel.',
  'No tools yet': 'Pas encore d’outils',
  'A tool is a question to another system: where is the order, is the part in stock. Make it once, try it here, and choose it for agents, businesses and campaigns.':
    'Un outil est une question posée à un autre système : où est la commande, la pièce est-elle en stock. Créez-le une fois, essayez-le ici et choisissez-le pour des agents, des entreprises et des campagnes.',
  'The agent, for the answer': 'L’agent, la réponse',
  'Nobody: the talk goes on': 'Personne : la conversation continue',
  '1 tool': '1 outil',
  '{count} tools': '{count} outils',
  'Not read': 'Non lu',
  'No tools known': 'Aucun outil connu',
  'The server has not been read yet, or has none: see its settings.':
    'Le serveur n’a pas encore été lu, ou n’en a pas : voyez ses paramètres.',
  Ask: 'Demander',
  'Run it now': 'L’exécuter maintenant',
  'It runs as in a call, with what is saved: what it changes in your system is changed.':
    'Il s’exécute comme dans un appel, avec ce qui est enregistré : ce qu’il modifie dans votre système est modifié.',
  'It takes no arguments.': 'Il ne prend pas d’arguments.',
  'Asking …': 'Demande en cours …',
  'Nothing asked yet.': 'Rien demandé pour l’instant.',
  '{name} (optional)': '{name} (facultatif)',
  'Left out': 'Omis',
  '{name}, as JSON': '{name}, en JSON',
  'Variables of the call': 'Variables de l’appel',
  'Where address, headers or arguments name some: {{customerId}}':
    'Si l’adresse, les en-têtes ou les arguments en nomment : {{customerId}}',
  Took: 'Durée',
  'The request as it left': 'La requête telle qu’elle est partie',
  'Nothing was sent.': 'Rien n’a été envoyé.',
  'The request': 'La requête',
  'What came back': 'Ce qui est revenu',
  'No answer.': 'Aucune réponse.',
  'Only its beginning: it is longer than 64 KiB.': 'Seulement le début : plus de 64 Kio.',
  'What the model would be told': 'Ce que le modèle apprendrait',
};
