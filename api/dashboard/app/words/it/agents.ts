// The words of agents and versions in Italian, by their English ones.
export default {
  'Talk to the agent': 'Parla con l’agente',
  Called: 'Chiamato',
  Recipient: 'Destinatario',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Bastano un nome e una voce. Tutto il resto ha un valore predefinito adatto a quasi tutte le chiamate.',
  'Create the agent': 'Crea l’agente',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Nessuna campagna può più usarlo. Le chiamate che ha fatto conservano il suo nome.',
  'Delete the agent': 'Elimina l’agente',
  'Talk to {name}': 'Parla con {name}',
  Active: 'Attivo',
  Inactive: 'Inattivo',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Questo agente è stato eliminato il {time}. È conservato perché alcune chiamate vi rimandano.',
  'Who it is': 'Chi è',
  'Callers hear it where a greeting says {{agentName}}.': 'Chi chiama lo sente dove un saluto dice {{agentName}}.',
  'For people only.': 'Solo per le persone.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Come la voce. Il riconoscimento la ascolta e le risposte sono in questa lingua.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Come la voce: {language}. Il riconoscimento la ascolta e le risposte sono in questa lingua.',
  '{language}. Empty: as the voice.': '{language}. Vuoto: come la voce.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Un agente inattivo non può essere scelto da una campagna né partire con essa. Le campagne in corso continuano.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'In quest’ordine, dopo quelli della campagna e dell’attività. Un modello linguistico li usa da solo.',
  'Where it speaks': 'Dove parla',
  'In no campaign yet.': 'Ancora in nessuna campagna.',
  'Create one with this agent': 'Creane una con questo agente',
  'All {total} campaigns of it': 'Tutte le sue {total} campagne',
  'Its {calls} calls': 'Le sue {calls} chiamate',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Chi parla: un nome, una voce e come si comporta nella conversazione.',
  'No agents yet': 'Ancora nessun agente',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Un agente dà voce a una campagna. Ciò che sa viene da un’attività.',
  'Taking turns': 'Turni di parola',
  'Who speaks first': 'Chi parla per primo',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Se non indicato l’agente, subito; a chi chiamiamo restano 1,2 s per dire pronto.',
  'Default (auto)': 'Predefinito (automatico)',
  Auto: 'Automatico',
  'The agent, at once': 'L’agente, subito',
  'The other side; the agent waits': 'L’altra parte; l’agente aspetta',
  Responsiveness: 'Reattività',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Quando una frase si considera finita: 0 aspetta 1,4 volte il solito, 1 solo 0,6. Più alto risponde prima e interrompe più spesso. Senza effetto se l’attività fissa un proprio silenzio.',
  Patient: 'Paziente',
  Quick: 'Rapido',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Quanto facilmente chi chiama ferma l’agente: 0 mai, 1 a 120 ms di voce o una parola. Una linea rumorosa ne vuole meno.',
  'the business’s': 'quella dell’attività',
  'Speaks on': 'Continua a parlare',
  'Yields at once': 'Cede subito',
  'Protect the greeting': 'Proteggi il saluto',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'Viene detto fino in fondo qualunque cosa dica chi chiama: per gli avvisi di legge.',
  'Default (yes)': 'Predefinito (sì)',
  'Default (no)': 'Predefinito (no)',
  'Silence before a reminder, in seconds': 'Silenzio prima di un sollecito, in secondi',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Prima di «È ancora lì?» e prima del saluto finale. Predefinito 8',
  'Reminders before the goodbye': 'Solleciti prima del saluto finale',
  '{reminders}. Default 2': '{reminders}. Predefinito 2',
  Words: 'Parole',
  Keywords: 'Parole chiave',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Nomi e termini che il riconoscimento deve aspettarsi, oltre ai servizi e alle domande dell’attività.',
  'Invisalign, Dr Okafor': 'Invisalign, dott. Rossi',
  'After a lost line': 'Dopo una linea persa',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Si dice quando una chiamata riprende dopo una breve interruzione. Predefinito: «Scusi, l’ho persa un momento. Diceva?» nella lingua dell’agente',
  'As the language has it': 'Come vuole la lingua',
  'Numbers in groups': 'Numeri a gruppi',
  'After each group of a number or a spelling, while more of it is to come.':
    'Dopo ogni gruppo di un numero o di una sillabazione, finché ne manca.',
  'Default (a word)': 'Predefinito (una parola)',
  'A word: "Okay"': 'Una parola: «Ok»',
  'The group, repeated': 'Il gruppo, ripetuto',
  Nothing: 'Niente',
  'Backchannel words': 'Parole di assenso',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Incoraggiano soltanto e non fermano mai l’agente, oltre a quelle usuali della lingua.',
  'right, go on': 'certo, vada avanti',
  Pronunciations: 'Pronunce',
  'What the voice says in place of a word. The transcript keeps the word.':
    'Ciò che la voce dice al posto di una parola. La trascrizione conserva la parola.',
  pronunciation: 'pronuncia',
  'Add a pronunciation': 'Aggiungi una pronuncia',
  Said: 'Detto',
  'The built-in receptionist has no model: these have no effect on it.':
    'La reception integrata non ha un modello: questi non hanno effetto su di essa.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Un altro modello del server configurato, per questo agente. Predefinito: OPENAI_MODEL del servizio',
  'As the service': 'Come il servizio',
  Temperature: 'Temperatura',
  'Lower is more alike from call to call, higher more varied.':
    'Più bassa è più uguale da chiamata a chiamata, più alta più varia.',
  Alike: 'Uguale',
  Varied: 'Vario',
  'Wait for the first word (ms)': 'Attesa della prima parola (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, dalla fine della frase di chi chiama; poi la risposta è fallita. Predefinito: come il servizio, 8000',
  "Prepare replies while a turn's end is uncertain": 'Prepara risposte finché la fine della frase è incerta',
  'Quicker answers, about a third more requests to the model.':
    'Risposte più rapide, circa un terzo di richieste in più al modello.',
  'Answer with the speech-to-speech model': 'Rispondi con il modello da voce a voce',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Se il servizio ne ha uno. No: rispondono riconoscimento, modello linguistico e voce.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Un altro modello dello stesso fornitore, per questo agente. Predefinito: quello del servizio',
  'Its voice': 'La sua voce',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Con il nome del fornitore. Il saluto resta nella voce dell’agente. Predefinito: quella del servizio',
  'Further languages': 'Altre lingue',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Una chiamata prosegue in una di esse quando chi chiama la chiede, preme il suo tasto o si sente parlarla: cambiano riconoscimento, voce e risposte. Il vostro saluto dovrebbe dirlo: «For English, press 2.»',
  'Additional languages': 'Lingue aggiuntive',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'Come codici: en, fr-CA. Inglese, tedesco, spagnolo, francese, italiano, portoghese, olandese; in altre un modello linguistico può rispondere lo stesso.',
  'Key that leads back to {own}': 'Tasto che riporta a {own}',
  Key: 'Tasto',
  'Voice of the speech-to-speech model': 'Voce del modello da voce a voce',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Con il nome del fornitore, se il servizio ha un tale modello. Predefinito: quella dell’agente',
  'As the agent': 'Come l’agente',
  'Names and terms': 'Nomi e termini',
  'What the recogniser should expect in it.': 'Ciò che il riconoscimento deve aspettarsi in essa.',
  'The agent’s, or one that speaks it': 'Quella dell’agente, o una che la parla',
  '{voiceId}, no longer offered': '{voiceId}, non più offerta',
  'Saved. It takes effect on the next call.': 'Salvato. Vale dalla prossima chiamata.',
  'Saved as a draft. Publish it on the tab Versions.': 'Salvato come bozza. Pubblicatelo in Versioni.',
  'Stop version {version}?': 'Fermare la versione {version}?',
  'All calls obey the published version again. The draft stays.':
    'Tutte le chiamate seguono di nuovo la versione pubblicata. La bozza resta.',
  'Stop it': 'Fermala',
  Stopped: 'Fermata',
  'Version {version} leads {share} % of the calls': 'La versione {version} guida il {share} % delle chiamate',
  'Version {version} was as good, and is published': 'La versione {version} era altrettanto buona ed è pubblicata',
  'Version {version} was worse, and has gone back': 'La versione {version} era peggiore ed è stata ritirata',
  'Version {version} was tried, and stopped': 'La versione {version} è stata provata e fermata',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    'Sono terminate {ended} chiamate su {calls}, e {others} con la versione {version}. Si pubblica quando sono finite tutte, e si ritira da sola se sono peggiori.',
  'after {count} of its calls.': 'dopo {count} delle sue chiamate.',
  'Calls that failed': 'Chiamate fallite',
  'Put through to a person': 'Passate a una persona',
  'Hung up within 20 s': 'Riagganciate entro 20 s',
  'Answers after': 'Risponde dopo',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure}: {canary} ({calls} chiamate), con la versione pubblicata {published} ({others} chiamate).',
  'in another order': 'in un altro ordine',
  nothing: 'niente',
  yes: 'sì',
  no: 'no',
  'Changes wait until they are published': 'Le modifiche attendono la pubblicazione',
  'Changes count from the next call on': 'Le modifiche valgono dalla prossima chiamata',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'Quelle dell’attività, degli agenti delle sue campagne e dei loro strumenti. Documenti e musica d’attesa valgono subito.',
  none: 'nessuna',
  '{count} answered': '{count} risposte',
  'answers after {time}': 'risponde dopo {time}',
  '({low} to {high})': '(da {low} a {high})',
  'put through to a person': 'passate a una persona',
  'hung up within 20 s': 'riagganciate entro 20 s',
  failed: 'fallite',
  'Bring back version {number}?': 'Riprendere la versione {number}?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Torna com’era allora, dalla prossima chiamata, o come bozza se le modifiche attendono. Lo stato attuale resta in questo elenco.',
  'Bring it back': 'Riprendila',
  'Version {number} is back': 'La versione {number} è tornata',
  Version: 'Versione',
  Now: 'Ora',
  Draft: 'Bozza',
  'What changed': 'Che cosa è cambiato',
  'Version {restoredFrom} brought back': 'Versione {restoredFrom} ripresa',
  'The first that is kept': 'La prima conservata',
  'Bring back version {number}': 'Riprendi la versione {number}',
  'Bring back': 'Riprendi',
  'Publish what waits?': 'Pubblicare ciò che attende?',
  'The next call obeys it: {names}.': 'La prossima chiamata lo segue: {names}.',
  Publish: 'Pubblica',
  Published: 'Pubblicato',
  Discarded: 'Scartato',
  'Discard what waits?': 'Scartare ciò che attende?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Torna a essere ciò che le chiamate seguono ora: {names}. Le versioni restano in elenco.',
  'Waiting to be published': 'In attesa di pubblicazione',
  'version {version}, calls obey {published}': 'versione {version}, le chiamate seguono la {published}',
  'Values of headers only': 'Solo valori di intestazioni',
  agent: 'agente',
  business: 'attività',
  tool: 'strumento',
  'Try it on {share} % of the calls first?': 'Provarlo prima sul {share} % delle chiamate?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'La bozza guida il {share} % delle chiamate, sempre quelle degli stessi numeri. Dopo {calls} viene pubblicata, salvo che siano peggiori delle altre: allora si ritira da sola.',
  'Try it': 'Provalo',
  'It leads {share} % of the calls': 'Guida il {share} % delle chiamate',
  'Try on {share} % first': 'Prova prima sul {share} %',
  'As it is stored': 'Come è memorizzato',
};
