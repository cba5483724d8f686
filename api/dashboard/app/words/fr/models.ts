// The words of models in French, by their English ones.
export default {
  'Name=id pairs with commas, as in TTS_VOICES. Agents keep the voice they have: choose on their pages':
    'Paires nom=id séparées par des virgules, comme dans TTS_VOICES. Les agents gardent leur voix : choisissez sur leurs pages',
  'By the vendor’s name. Empty: its default. Agents may have their own; greeting and notices stay in their voice':
    'Par le nom du fournisseur. Vide : celle par défaut. Les agents peuvent avoir la leur ; accueil et annonces gardent leur voix',
  'Turned off, it forgets address, model, voice and key': 'Éteint, il oublie adresse, modèle, voix et clé',
  '{name}: saved': '{name} : enregistré',
  'These settings were not taken: the former engine goes on.':
    'Ces réglages n’ont pas été pris : l’ancien moteur continue.',
  Engine: 'Moteur',
  'Address of the server': 'Adresse du serveur',
  'Empty: the vendor’s. A server on this machine: http://127.0.0.1:8000/v1':
    'Vide : celle du fournisseur. Un serveur sur cette machine : http://127.0.0.1:8000/v1',
  'As the server names it. Empty: the engine’s default':
    'Comme le serveur l’appelle. Vide : celui par défaut du moteur',
  Voices: 'Voix',
  'Second model': 'Second modèle',
  'Takes over a turn when the first fails before its first word.':
    'Prend le relais quand le premier échoue avant son premier mot.',
  'Address of its server': 'Adresse de son serveur',
  'Empty: the server above': 'Vide : le serveur ci-dessus',
  'Its model': 'Son modèle',
  'Empty: no second model': 'Vide : pas de second modèle',
  'Its API key': 'Sa clé d’API',
  'Show the newest settings': 'Afficher les réglages les plus récents',
  'Save {name}': 'Enregistrer {name}',
  'Test {name}': 'Tester {name}',
  'Testing …': 'Test en cours …',
  Test: 'Tester',
  'Set by the environment variable': 'Défini par la variable d’environnement',
  'In use': 'En service',
  'Being taken …': 'Prise en compte …',
  'Not taken': 'Non pris',
  'Enter the key of this server: the stored one belongs to another and is not sent to it':
    'Saisissez la clé de ce serveur : celle enregistrée appartient à un autre et ne lui est pas envoyée',
  'It is stored encrypted and never shown': 'Elle est stockée chiffrée et jamais montrée',
  'A key is stored. Empty: it stays': 'Une clé est enregistrée. Vide : elle reste',
  'A key is stored, ending in {end}. Empty: it stays':
    'Une clé est enregistrée, elle finit par {end}. Vide : elle reste',
  'Remove the stored key': 'Retirer la clé enregistrée',
  '{engine} works.': '{engine} fonctionne.',
  '{engine} does not work.': '{engine} ne fonctionne pas.',
  'First word after {firstMs} ms, all after {totalMs} ms: “{text}”':
    'Premier mot après {firstMs} ms, tout après {totalMs} ms : « {text} »',
  'It heard “{text}” {firstMs} ms after the end of the sentence.':
    'Il a entendu « {text} » {firstMs} ms après la fin de la phrase.',
  'First audio after {firstMs} ms, {size} after {totalMs} ms.':
    'Premier son après {firstMs} ms, {size} après {totalMs} ms.',
  'First audio {firstMs} ms after the end of the sentence: “{text}”':
    'Premier son {firstMs} ms après la fin de la phrase : « {text} »',
  'Default: the server below, else the receptionist': 'Par défaut : le serveur ci-dessous, sinon l’accueil',
  'Default: the best that is installed': 'Par défaut : le meilleur installé',
  'None: recognition, dialogue and voice answer': 'Aucun : reconnaissance, dialogue et voix répondent',
  'package missing': 'paquet manquant',
  'not downloaded': 'non téléchargé',
  'a server': 'un serveur',
  'many languages': 'de nombreuses langues',
  Dialogue: 'Dialogue',
  Recognition: 'Reconnaissance',
  'Speech to speech': 'Voix à voix',
  'The package sherpa-onnx-node is missing: npm ci --include=optional':
    'Le paquet sherpa-onnx-node manque : npm ci --include=optional',
  'It could not be fetched': 'Il n’a pas pu être téléchargé',
  'The engine did not take it': 'Le moteur ne l’a pas pris',
  'Language of your callers': 'Langue de vos appelants',
  'The catalogue has nothing for this language that fits into this machine.':
    'Le catalogue n’a rien pour cette langue qui tienne sur cette machine.',
  'Ears and a voice for {language}': 'Oreilles et voix pour {language}',
  'This machine': 'Cette machine',
  '{cores} cores, {size} of memory': '{cores} cœurs, {size} de mémoire',
  '{count}, estimated; measured once they are in use': '{count}, estimés ; mesurés une fois en service',
  'To be fetched': 'À télécharger',
  'Nothing: both are installed': 'Rien : les deux sont installés',
  Ears: 'Oreilles',
  'Both are in use for the next calls.': 'Les deux servent dès les prochains appels.',
  'An agent speaks with the voice once it is chosen for it: [go on with the set-up], or open [Agents].':
    'Un agent parle avec la voix une fois choisie pour lui : [continuez la configuration], ou ouvrez [Agents].',
  'Try and use them': 'Essayer et utiliser',
  'Fetch {size}, try and use them': 'Télécharger {size}, essayer et utiliser',
  Fetching: 'Téléchargement',
  Trying: 'Essai en cours',
  'The engine takes it': 'Le moteur le prend',
  Installed: 'Installé',
  '{size}, memory {memory}. Licence: {licence}.': '{size}, mémoire {memory}. Licence : {licence}.',
  'Download of {name}': 'Téléchargement de {name}',
  'Its first audio came after {ms} ms.': 'Son premier son est venu après {ms} ms.',
  'It heard “{text}”, with {count} words wrong, after {ms} ms.':
    'Il a entendu « {text} », {count} mots faux, après {ms} ms.',
  'By hand: fetch [{url}] on a machine that reaches it (its sum is in [{sums}]), put it here as {file}, then:':
    'À la main : téléchargez [{url}] sur une machine qui l’atteint (sa somme est dans [{sums}]), placez-le ici sous {file}, puis :',
  'Voice activity': 'Activité vocale',
  'All models': 'Tous les modèles',
  Many: 'Nombreuses',
  Licence: 'Licence',
  Memory: 'Mémoire',
  'Not downloaded': 'Non téléchargé',
  'Package missing': 'Paquet manquant',
  'Not configured': 'Non configuré',
  'Try again to download {name}': 'Réessayer de télécharger {name}',
  'Download {name}': 'Télécharger {name}',
  Engines: 'Moteurs',
  'By language': 'Par langue',
  'What listens, thinks and speaks on this installation. A change is taken for the next call, without a restart.':
    'Ce qui écoute, pense et parle sur cette installation. Un changement vaut dès le prochain appel, sans redémarrage.',
  'Refused by the model’s server': 'Refusé par le serveur du modèle',
  'A trial without words of a call was refused these parts of a request. They are left out, and tried again after ten minutes.':
    'Lors d’un essai sans mots d’un appel, ces parties de la requête ont été refusées. Elles sont omises, puis réessayées après dix minutes.',
  Server: 'Serveur',
  'What the model’s server refused is forgotten': 'Ce que le serveur du modèle a refusé est oublié',
  'Forget what its server refused': 'Oublier ce que son serveur a refusé',
};
