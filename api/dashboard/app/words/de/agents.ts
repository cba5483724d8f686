// The words of agents and versions in German, by their English ones.
export default {
  'Talk to the agent': 'Mit dem Agenten sprechen',
  Called: 'Angerufen',
  Recipient: 'Empfänger',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Ein Name und eine Stimme genügen. Alles andere hat einen Standard, der für die meisten Anrufe passt.',
  'Create the agent': 'Agenten anlegen',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Keine Kampagne kann ihn mehr nutzen. Anrufe, die er geführt hat, behalten seinen Namen.',
  'Delete the agent': 'Agenten löschen',
  'Talk to {name}': 'Mit {name} sprechen',
  Active: 'Aktiv',
  Inactive: 'Inaktiv',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Dieser Agent wurde am {time} gelöscht. Er bleibt aufbewahrt, weil Anrufe auf ihn verweisen.',
  'Who it is': 'Wer er ist',
  'Callers hear it where a greeting says {{agentName}}.': 'Anrufer hören ihn, wo eine Begrüßung {{agentName}} sagt.',
  'For people only.': 'Nur für Menschen.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Wie die Stimme. Die Spracherkennung hört darauf, und geantwortet wird darin.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Wie die Stimme: {language}. Die Spracherkennung hört darauf, und geantwortet wird darin.',
  '{language}. Empty: as the voice.': '{language}. Leer: wie die Stimme.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Ein inaktiver Agent kann von keiner Kampagne gewählt werden oder mit ihr beginnen. Laufende Kampagnen gehen weiter.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'In dieser Reihenfolge, nach denen der Kampagne und des Betriebs. Ein Sprachmodell nutzt sie von selbst.',
  'Where it speaks': 'Wo er spricht',
  'In no campaign yet.': 'Noch in keiner Kampagne.',
  'Create one with this agent': 'Eine mit diesem Agenten anlegen',
  'All {total} campaigns of it': 'Alle {total} Kampagnen mit ihm',
  'Its {calls} calls': 'Seine {calls} Anrufe',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Wer spricht: ein Name, eine Stimme, und wie er sich im Gespräch verhält.',
  'No agents yet': 'Noch keine Agenten',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Ein Agent gibt einer Kampagne die Stimme. Was er weiß, kommt von einem Betrieb.',
  'Taking turns': 'Wer wann spricht',
  'Who speaks first': 'Wer zuerst spricht',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Ohne Angabe sofort der Agent; wer angerufen wird, hat 1,2 s für ein Hallo.',
  'Default (auto)': 'Standard (automatisch)',
  Auto: 'Automatisch',
  'The agent, at once': 'Der Agent, sofort',
  'The other side; the agent waits': 'Die Gegenseite; der Agent wartet',
  Responsiveness: 'Wie schnell er antwortet',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Wie bald ein Satz als beendet gilt: 0 wartet 1,4-mal so lange wie üblich, 1 nur 0,6-mal. Höher antwortet früher und fällt öfter ins Wort. Ohne Wirkung, wo der Betrieb eine eigene Stille setzt.',
  Patient: 'Geduldig',
  Quick: 'Schnell',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Wie leicht ein Anrufer den Agenten stoppt: 0 nie, 1 nach 120 ms Stimme oder einem Wort. Eine laute Leitung braucht weniger.',
  'the business’s': 'der des Betriebs',
  'Speaks on': 'Spricht weiter',
  'Yields at once': 'Gibt sofort nach',
  'Protect the greeting': 'Begrüßung schützen',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'Sie wird zu Ende gesprochen, was der Anrufer auch sagt: für gesetzliche Hinweise.',
  'Default (yes)': 'Standard (ja)',
  'Default (no)': 'Standard (nein)',
  'Silence before a reminder, in seconds': 'Stille vor einer Nachfrage, in Sekunden',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Vor „Sind Sie noch da?“ und vor dem Abschied. Standard 8',
  'Reminders before the goodbye': 'Nachfragen vor dem Abschied',
  '{reminders}. Default 2': '{reminders}. Standard 2',
  Words: 'Wörter',
  Keywords: 'Stichwörter',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Namen und Begriffe, auf die sich die Spracherkennung einstellen soll, neben Leistungen und Fragen des Betriebs.',
  'Invisalign, Dr Okafor': 'Invisalign, Dr. Müller',
  'After a lost line': 'Nach einer Unterbrechung',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Wird gesagt, wenn ein Anruf nach kurz verlorener Leitung weitergeht. Standard: „Entschuldigung, Sie waren kurz weg. Was sagten Sie?“ in der Sprache des Agenten',
  'As the language has it': 'Wie in der Sprache üblich',
  'Numbers in groups': 'Nummern in Gruppen',
  'After each group of a number or a spelling, while more of it is to come.':
    'Nach jeder Gruppe einer Nummer oder Buchstabierung, solange noch etwas kommt.',
  'Default (a word)': 'Standard (ein Wort)',
  'A word: "Okay"': 'Ein Wort: „Okay“',
  'The group, repeated': 'Die Gruppe, wiederholt',
  Nothing: 'Nichts',
  'Backchannel words': 'Zustimmende Wörter',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Sie ermuntern nur und stoppen den Agenten nie, neben den üblichen der Sprache.',
  'right, go on': 'genau, weiter',
  Pronunciations: 'Aussprache',
  'What the voice says in place of a word. The transcript keeps the word.':
    'Was die Stimme anstelle eines Wortes sagt. Die Mitschrift behält das Wort.',
  pronunciation: 'Aussprache',
  'Add a pronunciation': 'Aussprache hinzufügen',
  Said: 'Gesprochen',
  'The built-in receptionist has no model: these have no effect on it.':
    'Der eingebaute Empfang hat kein Modell: auf ihn wirkt dies nicht.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Ein anderes Modell des eingestellten Servers, für diesen Agenten. Standard: OPENAI_MODEL des Dienstes',
  'As the service': 'Wie der Dienst',
  Temperature: 'Temperatur',
  'Lower is more alike from call to call, higher more varied.':
    'Niedriger ist von Anruf zu Anruf gleicher, höher abwechslungsreicher.',
  Alike: 'Gleich',
  Varied: 'Abwechslungsreich',
  'Wait for the first word (ms)': 'Auf das erste Wort warten (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, ab dem Satzende des Anrufers; danach ist die Antwort gescheitert. Standard: wie der Dienst, 8000',
  "Prepare replies while a turn's end is uncertain": 'Antworten vorbereiten, solange das Satzende ungewiss ist',
  'Quicker answers, about a third more requests to the model.':
    'Schnellere Antworten, etwa ein Drittel mehr Anfragen an das Modell.',
  'Answer with the speech-to-speech model': 'Mit dem Sprache-zu-Sprache-Modell antworten',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Wo der Dienst eines hat. Nein: Spracherkennung, Sprachmodell und Stimme antworten.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Ein anderes Modell desselben Anbieters, für diesen Agenten. Standard: das des Dienstes',
  'Its voice': 'Seine Stimme',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Beim Namen des Anbieters. Die Begrüßung bleibt in der eigenen Stimme des Agenten. Standard: die des Dienstes',
  'Further languages': 'Weitere Sprachen',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Ein Anruf geht darin weiter, sobald der Anrufer sie wünscht, ihre Taste drückt oder hörbar spricht: Spracherkennung, Stimme und Antworten wechseln. Ihre Begrüßung sollte es sagen: „For English, press 2.“',
  'Additional languages': 'Zusätzliche Sprachen',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'Als Kürzel: en, fr-CA. Englisch, Deutsch, Spanisch, Französisch, Italienisch, Portugiesisch, Niederländisch; in anderen kann ein Sprachmodell trotzdem antworten.',
  'Key that leads back to {own}': 'Taste, die zu {own} zurückführt',
  Key: 'Taste',
  'Voice of the speech-to-speech model': 'Stimme des Sprache-zu-Sprache-Modells',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Beim Namen des Anbieters, wo der Dienst so ein Modell hat. Standard: die des Agenten',
  'As the agent': 'Wie der Agent',
  'Names and terms': 'Namen und Begriffe',
  'What the recogniser should expect in it.': 'Worauf sich die Spracherkennung darin einstellen soll.',
  'The agent’s, or one that speaks it': 'Die des Agenten oder eine, die sie spricht',
  '{voiceId}, no longer offered': '{voiceId}, nicht mehr angeboten',
  'Saved. It takes effect on the next call.': 'Gespeichert. Es gilt ab dem nächsten Anruf.',
  'Saved as a draft. Publish it on the tab Versions.':
    'Als Entwurf gespeichert. Veröffentlichen Sie ihn unter Versionen.',
  'Stop version {version}?': 'Version {version} anhalten?',
  'All calls obey the published version again. The draft stays.':
    'Alle Anrufe folgen wieder der veröffentlichten Version. Der Entwurf bleibt.',
  'Stop it': 'Anhalten',
  Stopped: 'Angehalten',
  'Version {version} leads {share} % of the calls': 'Version {version} führt {share} % der Anrufe',
  'Version {version} was as good, and is published': 'Version {version} war genauso gut und ist veröffentlicht',
  'Version {version} was worse, and has gone back': 'Version {version} war schlechter und wurde zurückgenommen',
  'Version {version} was tried, and stopped': 'Version {version} wurde erprobt und angehalten',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    '{ended} von {calls} Anrufen sind beendet, und {others} mit Version {version}. Sind es alle, wird sie veröffentlicht; sind sie schlechter, geht sie von selbst zurück.',
  'after {count} of its calls.': 'nach {count} ihrer Anrufe.',
  'Calls that failed': 'Gescheiterte Anrufe',
  'Put through to a person': 'Zu einem Menschen verbunden',
  'Hung up within 20 s': 'Binnen 20 s aufgelegt',
  'Answers after': 'Antwortet nach',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure}: {canary} ({calls} Anrufe), mit der veröffentlichten Version {published} ({others} Anrufe).',
  'in another order': 'in anderer Reihenfolge',
  nothing: 'nichts',
  yes: 'ja',
  no: 'nein',
  'Changes wait until they are published': 'Änderungen warten, bis sie veröffentlicht werden',
  'Changes count from the next call on': 'Änderungen gelten ab dem nächsten Anruf',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'Die des Betriebs, der Agenten seiner Kampagnen und ihrer Werkzeuge. Dokumente und Wartemusik gelten sofort.',
  none: 'keine',
  '{count} answered': '{count} angenommen',
  'answers after {time}': 'antwortet nach {time}',
  '({low} to {high})': '({low} bis {high})',
  'put through to a person': 'zu einem Menschen verbunden',
  'hung up within 20 s': 'binnen 20 s aufgelegt',
  failed: 'gescheitert',
  'Bring back version {number}?': 'Version {number} zurückholen?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Es wird wieder, was es damals war, ab dem nächsten Anruf, oder als Entwurf, wo Änderungen warten. Der jetzige Stand bleibt in dieser Liste.',
  'Bring it back': 'Zurückholen',
  'Version {number} is back': 'Version {number} ist wieder da',
  Version: 'Version',
  Now: 'Jetzt',
  Draft: 'Entwurf',
  'What changed': 'Was sich änderte',
  'Version {restoredFrom} brought back': 'Version {restoredFrom} zurückgeholt',
  'The first that is kept': 'Die erste aufbewahrte',
  'Bring back version {number}': 'Version {number} zurückholen',
  'Bring back': 'Zurückholen',
  'Publish what waits?': 'Wartendes veröffentlichen?',
  'The next call obeys it: {names}.': 'Der nächste Anruf folgt ihm: {names}.',
  Publish: 'Veröffentlichen',
  Published: 'Veröffentlicht',
  Discarded: 'Verworfen',
  'Discard what waits?': 'Wartendes verwerfen?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Es wird wieder, wonach Anrufe sich jetzt richten: {names}. Die Versionen bleiben in der Liste.',
  'Waiting to be published': 'Wartet auf Veröffentlichung',
  'version {version}, calls obey {published}': 'Version {version}, Anrufe folgen {published}',
  'Values of headers only': 'Nur Werte von Kopfzeilen',
  agent: 'Agent',
  business: 'Betrieb',
  tool: 'Werkzeug',
  'Try it on {share} % of the calls first?': 'Erst an {share} % der Anrufe erproben?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'Der Entwurf führt {share} % der Anrufe, immer die derselben Nummern. Nach {calls} davon wird er veröffentlicht, außer sie sind schlechter als die anderen: dann geht er von selbst zurück.',
  'Try it': 'Erproben',
  'It leads {share} % of the calls': 'Er führt {share} % der Anrufe',
  'Try on {share} % first': 'Erst an {share} % erproben',
  'As it is stored': 'Wie gespeichert',
};
