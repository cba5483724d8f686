// The words of trunks and carriers in French, by their English ones.
export default {
  'Provider or PBX': 'Fournisseur ou standard',
  Host: 'Hôte',
  'Name or address; calls from its addresses are taken':
    'Nom ou adresse ; les appels venant de ses adresses sont acceptés',
  Port: 'Port',
  "5060: the provider's own records come first": '5060 : les enregistrements DNS du fournisseur passent d’abord',
  'Outbound proxy': 'Proxy sortant',
  'host:port or SIP URI, if all requests go through one':
    'hôte:port ou URI SIP, si toutes les requêtes passent par un proxy',
  Domain: 'Domaine',
  'Of From, To and REGISTER, where it is not the host': 'De From, To et REGISTER, si ce n’est pas l’hôte',
  'Leave it empty where the provider knows you by your address.':
    'Laissez vide si le fournisseur vous reconnaît à votre adresse.',
  'Stored encrypted, never shown again': 'Stocké chiffré, jamais montré à nouveau',
  'Empty: it stays as it is. It is never shown.': 'Vide : inchangé. Il n’est jamais montré.',
  'User name for digest': 'Nom d’utilisateur d’authentification',
  'If it differs': 'S’il diffère',
  Register: 'S’enregistrer (REGISTER)',
  'Sends REGISTER and renews it, so that the provider finds this service; needs a user name':
    'Envoie REGISTER et le renouvelle pour que le fournisseur trouve ce service ; demande un nom d’utilisateur',
  'Other networks that may send calls': 'Autres réseaux autorisés à envoyer des appels',
  "One CIDR a line, as 192.76.120.10/32: the provider's signalling addresses":
    'Un CIDR par ligne, comme 192.76.120.10/32 : les adresses de signalisation du fournisseur',
  'How numbers are written': 'Comment les numéros s’écrivent',
  'Called numbers': 'Numéros appelés',
  '03012345 within the country': '03012345 dans le pays',
  'Two letters: of numbers that come without a country code': 'Deux lettres : celui des numéros sans indicatif de pays',
  'Numbers of incoming calls': 'Numéros des appels entrants',
  'Where digits are valid both ways: E.164 without its plus, or as they are dialled in the country':
    'Quand les chiffres se lisent des deux façons : E.164 sans son plus, ou comme on compose dans le pays',
  'By the numbers that are yours': 'D’après vos propres numéros',
  'Always E.164': 'Toujours E.164',
  'As they are dialled': 'Comme on les compose',
  Prefix: 'Préfixe',
  'Put before each number, e.g. the digit for an outside line':
    'Placé devant chaque numéro, p. ex. le chiffre pour sortir',
  'Our number stands in': 'Notre numéro figure dans',
  Both: 'Les deux',
  'G.711, speech up to 3.4 kHz: every carrier and telephone has it':
    'G.711, voix jusqu’à 3,4 kHz : chaque opérateur et téléphone l’a',
  'G.711 as used in Europe': 'G.711 tel qu’utilisé en Europe',
  'Wideband, up to 7 kHz: most desk telephones and PBXs':
    'Large bande, jusqu’à 7 kHz : la plupart des téléphones de bureau et standards',
  'Wideband, up to 8 kHz: softphones; survives packet loss':
    'Large bande, jusqu’à 8 kHz : softphones ; résiste aux pertes de paquets',
  'In the order in which they are offered. Telephone networks carry G.711; add the others for a PBX, or a carrier with HD voice.':
    'Dans l’ordre où ils sont proposés. Les réseaux téléphoniques portent G.711 ; ajoutez les autres pour un standard, ou un opérateur à voix HD.',
  'Choose at least one.': 'Choisissez-en au moins un.',
  'Encrypt it (SDES-SRTP)': 'Chiffrer (SDES-SRTP)',
  'Only with TLS, since the keys are in the signalling. Calls without it are refused.':
    'Seulement avec TLS, car les clés sont dans la signalisation. Les appels sans chiffrement sont refusés.',
  'Limits and backup': 'Limites et secours',
  'Calls at a time': 'Appels simultanés',
  'Outbound calls a second': 'Appels sortants par seconde',
  'Providers refuse calls that come faster than they allow':
    'Les fournisseurs refusent les appels plus rapides que permis',
  Backup: 'Secours',
  'Tried when this trunk fails before anything rang': 'Essayé quand ce trunk échoue avant toute sonnerie',
  'Ask whether it is up (OPTIONS)': 'Demander s’il répond (OPTIONS)',
  'Off for a peer that never answers OPTIONS: it would count as down.':
    'À désactiver si l’autre côté ne répond jamais à OPTIONS : il passerait pour arrêté.',
  'Transfer by its side (REFER)': 'Transférer de son côté (REFER)',
  'Off for a carrier that takes no REFER: a blind transfer is then a second call, joined to the first here.':
    'À désactiver pour un opérateur sans REFER : le transfert est alors un second appel, joint ici au premier.',
  '{name} is in use': '{name} est en service',
  'New trunk': 'Nouveau trunk',
  'A name and a host are enough; the defaults suit most providers.':
    'Un nom et un hôte suffisent ; le reste convient à la plupart des fournisseurs.',
  'Add the trunk': 'Ajouter le trunk',
  'Registered until': 'Enregistré jusqu’à',
  'Last checked': 'Dernière vérification',
  'Not yet': 'Pas encore',
  'Its plus': 'Son plus',
  'The setting of this trunk': 'Le réglage de ce trunk',
  'Valid in one way only': 'Valide d’une seule façon',
  'It is one of your numbers': 'C’est un de vos numéros',
  'E.164, of two valid readings': 'E.164, de deux lectures valides',
  'No telephone number': 'Pas un numéro de téléphone',
  'Last incoming calls': 'Derniers appels entrants',
  'Numbers as they came, and as they were read.': 'Les numéros tels que reçus, et tels que lus.',
  'Read so by': 'Lu ainsi d’après',
  'Check user name, password and the user name for digest; some providers have a domain per account.':
    'Vérifiez nom d’utilisateur, mot de passe et nom d’authentification ; certains fournisseurs ont un domaine par compte.',
  'The host or the domain is not the registrar’s.': 'L’hôte ou le domaine n’est pas celui du registrar.',
  'A firewall, the wrong transport or port, or a provider that drops unknown senders silently.':
    'Un pare-feu, un mauvais transport ou port, ou un fournisseur qui ignore les inconnus.',
  'The host’s name cannot be found: check it, and this machine’s name servers.':
    'Le nom de l’hôte est introuvable : vérifiez-le, ainsi que les serveurs DNS de cette machine.',
  'The host must be the name in the certificate; add your own CA with NODE_EXTRA_CA_CERTS.':
    'L’hôte doit être le nom du certificat ; ajoutez votre propre CA avec NODE_EXTRA_CA_CERTS.',
  'Remove the password of {name}?': 'Retirer le mot de passe de {name} ?',
  'Where the provider asks for one, registration and calls are refused.':
    'Si le fournisseur en demande un, l’enregistrement et les appels sont refusés.',
  'Remove the password': 'Retirer le mot de passe',
  'Password removed': 'Mot de passe retiré',
  'Delete the trunk {name}?': 'Supprimer le trunk {name} ?',
  '{count} calls run over it.': '{count} appels passent par lui.',
  'Calls from it are refused, and its numbers call out over the oldest trunk that is left.':
    'Les appels venant de lui sont refusés, et ses numéros appellent par le plus ancien trunk restant.',
  'Delete the trunk': 'Supprimer le trunk',
  'Does not register': 'Ne s’enregistre pas',
  Registering: 'Enregistrement en cours',
  'Registration refused': 'Enregistrement refusé',
  'Not checked yet': 'Pas encore vérifié',
  'Does not answer': 'Ne répond pas',
  'They connect the service to the telephone network, through a provider or your own PBX.':
    'Ils relient le service au réseau téléphonique, par un fournisseur ou votre propre standard.',
  'No trunks yet': 'Pas encore de trunks',
  'By the key of a carrier': 'Par la clé d’un opérateur',
  'You need the host, and usually a user name and password, from your provider or PBX. At Twilio, Telnyx and Plivo it is made by your key. A trunk is in use at once, without a restart.':
    'Il vous faut l’hôte, et en général un nom d’utilisateur et un mot de passe, de votre fournisseur ou standard. Chez Twilio, Telnyx et Plivo, votre clé suffit. Un trunk sert aussitôt, sans redémarrage.',
  '{name} is connected': '{name} est connecté',
  'Connect a carrier': 'Connecter un opérateur',
  'The key is kept encrypted and is never shown again.': 'La clé est gardée chiffrée et n’est plus jamais montrée.',
  'Connect and test': 'Connecter et tester',
  Carrier: 'Opérateur',
  'Numbers that you have at {name}': 'Numéros que vous avez chez {name}',
  'Show them': 'Les afficher',
  'A number that is taken over rings here: it is bound to the trunk, and nowhere else any more.':
    'Un numéro repris sonne ici : il est lié au trunk, et à rien d’autre.',
  'There is none.': 'Il n’y en a pas.',
  'Numbers at the carrier': 'Numéros chez l’opérateur',
  'Take over {name}': 'Reprendre {name}',
  'In use here': 'En service ici',
  Disconnect: 'Déconnecter',
  'Not tested yet.': 'Pas encore testé.',
  'The key ends in {end}': 'La clé se termine par {end}',
  'tested {ago}': 'testée {ago}',
  'Numbers bought here': 'Numéros achetés ici',
  'Make the trunk first: its numbers are then found when you buy one.':
    'Créez d’abord le trunk : ses numéros apparaissent ensuite à l’achat.',
  'None was bought yet. The price of each is shown before you buy it.':
    'Aucun acheté pour l’instant. Le prix s’affiche avant l’achat.',
  'The last purchases': 'Les derniers achats',
  'Its numbers are offered to': 'Ses numéros sont proposés à',
  'You pay the carrier for what they buy': 'Vous payez à l’opérateur ce qu’ils achètent',
  'Accounts of ADMINs': 'Comptes d’administrateurs',
  'All accounts': 'Tous les comptes',
  'Dollars a month for an account': 'Dollars par mois pour un compte',
  'Empty: the carrier’s own price': 'Vide : le prix de l’opérateur',
  'New: {name}': 'Nouveau : {name}',
  'Empty: the one that is stored': 'Vide : celui enregistré',
  '{name} is disconnected': '{name} est déconnecté',
  'Disconnect {name}?': 'Déconnecter {name} ?',
  'Its key is forgotten. Numbers that were bought here must be released before.':
    'Sa clé est oubliée. Les numéros achetés ici doivent d’abord être libérés.',
  'Take the trunk back, here and at {name}': 'Retirer le trunk, ici et chez {name}',
  'Without it both go on, and calls with them.': 'Sinon les deux continuent, et les appels avec.',
  'The trunk': 'Le trunk',
  'Open the trunk': 'Ouvrir le trunk',
  'One step makes the trunk at {name} and here: its credentials, its addresses, and where calls go.':
    'Une étape crée le trunk chez {name} et ici : identifiants, adresses, et où vont les appels.',
  'It is made, there and here. Asking again changes it and makes nothing twice.':
    'Il est créé, là-bas et ici. Le redemander le modifie et ne crée rien en double.',
  'Make the trunk': 'Créer le trunk',
  'Make it again': 'Le recréer',
  'Encrypted, both ways': 'Chiffré, dans les deux sens',
  'Signalling by TLS, media by SRTP.': 'Signalisation par TLS, son par SRTP.',
  'TLS and SRTP. It needs a certificate (SIP_TLS_PORT).': 'TLS et SRTP. Il faut un certificat (SIP_TLS_PORT).',
  'Countries that may be called': 'Pays qui peuvent être appelés',
  'In two letters each, as in US CA GB': 'Deux lettres chacun, comme FR BE CH',
  'Addresses from which Plivo calls': 'Adresses depuis lesquelles Plivo appelle',
  'As its console lists them for your region, one a line':
    'Comme sa console les liste pour votre région, une par ligne',
  'Both stand on the first page of Twilio’s console.': 'Les deux figurent sur la première page de la console Twilio.',
  'Make one under API Keys in Telnyx’s portal. It begins with KEY.':
    'Créez-en une sous API Keys dans le portail Telnyx. Elle commence par KEY.',
  'Both stand on the first page of Plivo’s console.': 'Les deux figurent sur la première page de la console Plivo.',
  Ordered: 'Commandé',
  Bought: 'Acheté',
  'Given back': 'Rendu',
  'Twilio, Telnyx or Plivo by their key: the trunk is made for you, and numbers are bought here.':
    'Twilio, Telnyx ou Plivo par leur clé : le trunk est créé pour vous, et les numéros s’achètent ici.',
  'No carrier is connected': 'Aucun opérateur n’est connecté',
  'You need an account at one of them, and its key. Trunks and numbers of other providers are added under Trunks and Inventory.':
    'Il vous faut un compte chez l’un d’eux, et sa clé. Les trunks et numéros d’autres fournisseurs s’ajoutent sous Trunks et Inventaire.',
  'Not tested': 'Non testée',
  Works: 'Fonctionne',
  'Something is missing': 'Il manque quelque chose',
  'None yet': 'Aucun pour l’instant',
  Made: 'Créé',
  'Numbers for': 'Numéros pour',
};
