// The words of agents and versions in Dutch, by their English ones.
export default {
  'Talk to the agent': 'Met de agent praten',
  Called: 'Gebeld',
  Recipient: 'Ontvanger',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Een naam en een stem zijn genoeg. Al het andere heeft een standaard die bij de meeste gesprekken past.',
  'Create the agent': 'Agent aanmaken',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Geen campagne kan hem nog gebruiken. Gesprekken die hij voerde houden zijn naam.',
  'Delete the agent': 'Agent verwijderen',
  'Talk to {name}': 'Met {name} praten',
  Active: 'Actief',
  Inactive: 'Inactief',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Deze agent is verwijderd op {time}. Hij wordt bewaard omdat gesprekken naar hem verwijzen.',
  'Who it is': 'Wie hij is',
  'Callers hear it where a greeting says {{agentName}}.': 'Bellers horen hem waar een begroeting {{agentName}} zegt.',
  'For people only.': 'Alleen voor mensen.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Zoals de stem. De spraakherkenning luistert ernaar, en er wordt in geantwoord.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Zoals de stem: {language}. De spraakherkenning luistert ernaar, en er wordt in geantwoord.',
  '{language}. Empty: as the voice.': '{language}. Leeg: zoals de stem.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Een inactieve agent kan niet door een campagne worden gekozen of ermee starten. Lopende campagnes gaan door.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'In deze volgorde, na die van de campagne en van het bedrijf. Een taalmodel gebruikt ze vanzelf.',
  'Where it speaks': 'Waar hij spreekt',
  'In no campaign yet.': 'Nog in geen campagne.',
  'Create one with this agent': 'Er een maken met deze agent',
  'All {total} campaigns of it': 'Al zijn {total} campagnes',
  'Its {calls} calls': 'Zijn {calls} gesprekken',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Wie spreekt: een naam, een stem, en hoe hij zich in het gesprek gedraagt.',
  'No agents yet': 'Nog geen agenten',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Een agent geeft een campagne haar stem. Wat hij weet komt van een bedrijf.',
  'Taking turns': 'Om de beurt praten',
  'Who speaks first': 'Wie eerst spreekt',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Standaard de agent, meteen; wie wij bellen krijgt 1,2 s om hallo te zeggen.',
  'Default (auto)': 'Standaard (automatisch)',
  Auto: 'Automatisch',
  'The agent, at once': 'De agent, meteen',
  'The other side; the agent waits': 'De andere kant; de agent wacht',
  Responsiveness: 'Reactiesnelheid',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Wanneer een zin als af geldt: 0 wacht 1,4 keer zo lang als gewoonlijk, 1 maar 0,6 keer. Hoger antwoordt eerder en valt vaker in de rede. Zonder effect waar het bedrijf een eigen stilte instelt.',
  Patient: 'Geduldig',
  Quick: 'Snel',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Hoe makkelijk een beller de agent stopt: 0 nooit, 1 na 120 ms stem of één woord. Een lijn met ruis wil minder.',
  'the business’s': 'die van het bedrijf',
  'Speaks on': 'Praat door',
  'Yields at once': 'Geeft meteen toe',
  'Protect the greeting': 'Begroeting beschermen',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'Ze wordt tot het einde gezegd, wat de beller ook zegt: voor wettelijke meldingen.',
  'Default (yes)': 'Standaard (ja)',
  'Default (no)': 'Standaard (nee)',
  'Silence before a reminder, in seconds': 'Stilte voor een navraag, in seconden',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Voor “Bent u er nog?” en voor het afscheid. Standaard 8',
  'Reminders before the goodbye': 'Navragen voor het afscheid',
  '{reminders}. Default 2': '{reminders}. Standaard 2',
  Words: 'Woorden',
  Keywords: 'Trefwoorden',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Namen en termen die de spraakherkenning moet verwachten, naast de diensten en vragen van het bedrijf.',
  'Invisalign, Dr Okafor': 'Invisalign, dr. de Vries',
  'After a lost line': 'Na een verloren lijn',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Wordt gezegd als een gesprek na een korte onderbreking doorgaat. Standaard: “Sorry, u was even weg. Wat zei u?” in de taal van de agent',
  'As the language has it': 'Zoals in de taal gebruikelijk',
  'Numbers in groups': 'Nummers in groepen',
  'After each group of a number or a spelling, while more of it is to come.':
    'Na elke groep van een nummer of spelling, zolang er nog iets komt.',
  'Default (a word)': 'Standaard (een woord)',
  'A word: "Okay"': 'Een woord: “Oké”',
  'The group, repeated': 'De groep, herhaald',
  Nothing: 'Niets',
  'Backchannel words': 'Luisterwoorden',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Ze moedigen alleen aan en stoppen de agent nooit, naast de gebruikelijke van de taal.',
  'right, go on': 'juist, ga door',
  Pronunciations: 'Uitspraak',
  'What the voice says in place of a word. The transcript keeps the word.':
    'Wat de stem zegt in plaats van een woord. Het transcript houdt het woord.',
  pronunciation: 'uitspraak',
  'Add a pronunciation': 'Een uitspraak toevoegen',
  Said: 'Gezegd',
  'The built-in receptionist has no model: these have no effect on it.':
    'De ingebouwde receptie heeft geen model: dit heeft er geen effect op.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Een ander model van de ingestelde server, voor deze agent. Standaard: OPENAI_MODEL van de dienst',
  'As the service': 'Zoals de dienst',
  Temperature: 'Temperatuur',
  'Lower is more alike from call to call, higher more varied.':
    'Lager is gelijker van gesprek tot gesprek, hoger gevarieerder.',
  Alike: 'Gelijk',
  Varied: 'Gevarieerd',
  'Wait for the first word (ms)': 'Wachten op het eerste woord (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, vanaf het einde van de zin van de beller; daarna is het antwoord mislukt. Standaard: zoals de dienst, 8000',
  "Prepare replies while a turn's end is uncertain": 'Antwoorden voorbereiden zolang het einde van de zin onzeker is',
  'Quicker answers, about a third more requests to the model.':
    'Snellere antwoorden, ongeveer een derde meer verzoeken aan het model.',
  'Answer with the speech-to-speech model': 'Met het spraak-naar-spraakmodel antwoorden',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Waar de dienst er een heeft. Nee: spraakherkenning, taalmodel en stem antwoorden.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Een ander model van dezelfde leverancier, voor deze agent. Standaard: dat van de dienst',
  'Its voice': 'Zijn stem',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Met de naam van de leverancier. De begroeting blijft in de eigen stem van de agent. Standaard: die van de dienst',
  'Further languages': 'Andere talen',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Een gesprek gaat in een ervan verder zodra de beller erom vraagt, de toets indrukt of haar hoorbaar spreekt: spraakherkenning, stem en antwoorden wisselen. Uw begroeting moet het zeggen: “For English, press 2.”',
  'Additional languages': 'Extra talen',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'Als codes: en, fr-CA. Engels, Duits, Spaans, Frans, Italiaans, Portugees, Nederlands; in andere kan een taalmodel toch antwoorden.',
  'Key that leads back to {own}': 'Toets die terugleidt naar {own}',
  Key: 'Toets',
  'Voice of the speech-to-speech model': 'Stem van het spraak-naar-spraakmodel',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Met de naam van de leverancier, als de dienst zo’n model heeft. Standaard: die van de agent',
  'As the agent': 'Zoals de agent',
  'Names and terms': 'Namen en termen',
  'What the recogniser should expect in it.': 'Wat de spraakherkenning erin moet verwachten.',
  'The agent’s, or one that speaks it': 'Die van de agent, of een die haar spreekt',
  '{voiceId}, no longer offered': '{voiceId}, niet meer aangeboden',
  'Saved. It takes effect on the next call.': 'Opgeslagen. Het geldt vanaf het volgende gesprek.',
  'Saved as a draft. Publish it on the tab Versions.': 'Opgeslagen als concept. Publiceer het onder Versies.',
  'Stop version {version}?': 'Versie {version} stoppen?',
  'All calls obey the published version again. The draft stays.':
    'Alle gesprekken volgen weer de gepubliceerde versie. Het concept blijft.',
  'Stop it': 'Stoppen',
  Stopped: 'Gestopt',
  'Version {version} leads {share} % of the calls': 'Versie {version} voert {share} % van de gesprekken',
  'Version {version} was as good, and is published': 'Versie {version} was even goed en is gepubliceerd',
  'Version {version} was worse, and has gone back': 'Versie {version} was slechter en is teruggenomen',
  'Version {version} was tried, and stopped': 'Versie {version} is geprobeerd en gestopt',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    '{ended} van {calls} gesprekken zijn beëindigd, en {others} met versie {version}. Ze wordt gepubliceerd als ze dat allemaal zijn, en gaat vanzelf terug als ze slechter zijn.',
  'after {count} of its calls.': 'na {count} van haar gesprekken.',
  'Calls that failed': 'Mislukte gesprekken',
  'Put through to a person': 'Doorverbonden met een mens',
  'Hung up within 20 s': 'Opgehangen binnen 20 s',
  'Answers after': 'Antwoordt na',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure}: {canary} ({calls} gesprekken), met de gepubliceerde versie {published} ({others} gesprekken).',
  'in another order': 'in een andere volgorde',
  nothing: 'niets',
  yes: 'ja',
  no: 'nee',
  'Changes wait until they are published': 'Wijzigingen wachten tot ze worden gepubliceerd',
  'Changes count from the next call on': 'Wijzigingen gelden vanaf het volgende gesprek',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'Die van het bedrijf, van de agenten van zijn campagnes en van hun hulpmiddelen. Documenten en wachtmuziek gelden meteen.',
  none: 'geen',
  '{count} answered': '{count} aangenomen',
  'answers after {time}': 'antwoordt na {time}',
  '({low} to {high})': '({low} tot {high})',
  'put through to a person': 'doorverbonden met een mens',
  'hung up within 20 s': 'opgehangen binnen 20 s',
  failed: 'mislukt',
  'Bring back version {number}?': 'Versie {number} terughalen?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Het wordt weer wat het toen was, vanaf het volgende gesprek, of als concept waar wijzigingen wachten. Wat er nu is blijft in deze lijst.',
  'Bring it back': 'Terughalen',
  'Version {number} is back': 'Versie {number} is terug',
  Version: 'Versie',
  Now: 'Nu',
  Draft: 'Concept',
  'What changed': 'Wat er is gewijzigd',
  'Version {restoredFrom} brought back': 'Versie {restoredFrom} teruggehaald',
  'The first that is kept': 'De eerste die wordt bewaard',
  'Bring back version {number}': 'Versie {number} terughalen',
  'Bring back': 'Terughalen',
  'Publish what waits?': 'Publiceren wat wacht?',
  'The next call obeys it: {names}.': 'Het volgende gesprek volgt het: {names}.',
  Publish: 'Publiceren',
  Published: 'Gepubliceerd',
  Discarded: 'Weggegooid',
  'Discard what waits?': 'Weggooien wat wacht?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Het wordt weer wat gesprekken nu volgen: {names}. De versies blijven in de lijst.',
  'Waiting to be published': 'Wacht op publicatie',
  'version {version}, calls obey {published}': 'versie {version}, gesprekken volgen {published}',
  'Values of headers only': 'Alleen waarden van headers',
  agent: 'agent',
  business: 'bedrijf',
  tool: 'hulpmiddel',
  'Try it on {share} % of the calls first?': 'Eerst op {share} % van de gesprekken proberen?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'Het concept voert {share} % van de gesprekken, altijd die van dezelfde nummers. Na {calls} ervan wordt het gepubliceerd, tenzij ze slechter zijn dan de andere: dan gaat het vanzelf terug.',
  'Try it': 'Proberen',
  'It leads {share} % of the calls': 'Het voert {share} % van de gesprekken',
  'Try on {share} % first': 'Eerst op {share} % proberen',
  'As it is stored': 'Zoals opgeslagen',
};
