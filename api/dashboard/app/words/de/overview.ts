// The words of the overview, and of live and browser calls, in German, by their English ones.
export default {
  'As a table': 'Als Tabelle',
  'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.':
    'Browser geben das Mikrofon nur sicheren Seiten. Öffnen Sie diese Seite mit https:// oder am Gerät selbst als http://localhost.',
  'The microphone was refused. Allow it for this page in the browser’s address bar, then try again.':
    'Das Mikrofon wurde verweigert. Erlauben Sie es für diese Seite in der Adresszeile des Browsers und versuchen Sie es noch einmal.',
  'No microphone was found. Connect one, then try again.':
    'Es wurde kein Mikrofon gefunden. Schließen Sie eines an und versuchen Sie es noch einmal.',
  'The microphone is in use by another program. Close that program, then try again.':
    'Ein anderes Programm benutzt das Mikrofon. Schließen Sie es und versuchen Sie es noch einmal.',
  'The microphone could not be opened. Check it in the settings of the browser and the system.':
    'Das Mikrofon ließ sich nicht öffnen. Prüfen Sie es in den Einstellungen des Browsers und des Systems.',
  'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.':
    'Die Sprachverbindung zu {host} ist von diesem Browser aus nicht erreichbar. Hinter einem Proxy sagt MEDIA_WS_PUBLIC_URL, wo Browser sie finden.',
  Close: 'Schließen',
  'A call from this browser, answered as a phone call to the campaign would be.':
    'Ein Anruf von diesem Browser aus, angenommen wie ein Telefonanruf bei der Kampagne.',
  'Try it by text': 'Per Text ausprobieren',
  'No campaigns yet': 'Noch keine Kampagnen',
  'A campaign says which agent speaks, and for which business. Make one, then talk to it here.':
    'Eine Kampagne sagt, welcher Agent spricht und für welchen Betrieb. Legen Sie eine an, dann sprechen Sie hier mit ihm.',
  '{used} of {limit} minutes of this month are used; they begin again on {date}.':
    '{used} von {limit} Minuten dieses Monats sind verbraucht; sie beginnen am {date} neu.',
  'Without minutes no call is placed; callers are answered all the same.':
    'Ohne Minuten wird kein Anruf getätigt; Anrufer werden trotzdem bedient.',
  'The webhook [{url}] was switched off: its address answered that it is gone.':
    'Der Webhook [{url}] wurde abgeschaltet: seine Adresse gibt es nicht mehr.',
  'The webhook [{url}] was switched off: it failed for five days.':
    'Der Webhook [{url}] wurde abgeschaltet: er scheiterte fünf Tage lang.',
  'The trunk [{name}] does not answer: calls through it fail.':
    'Der Trunk [{name}] antwortet nicht: Anrufe darüber scheitern.',
  'The trunk [{name}] could not be registered: calls through it fail.':
    'Der Trunk [{name}] ließ sich nicht anmelden: Anrufe darüber scheitern.',
  'First steps': 'Erste Schritte',
  'Do not show again': 'Nicht mehr zeigen',
  'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.':
    'Geben Sie die Adresse Ihrer Website an: Öffnungszeiten, Preise und Antworten werden daraus gelesen, Sie wählen eine Stimme und sprechen mit Ihrem Agenten. Etwa fünf Minuten.',
  'Go on with the set-up': 'Einrichtung fortsetzen',
  'Talk to the demo': 'Mit der Demo sprechen',
  'Hear the demo answer': 'Die Demo abnehmen hören',
  'From this browser: ask for the opening hours, interrupt it, book an appointment.':
    'Von diesem Browser aus: fragen Sie nach den Öffnungszeiten, fallen Sie ins Wort, buchen Sie einen Termin.',
  'Make an agent': 'Einen Agenten anlegen',
  'A name, a voice and a manner.': 'Ein Name, eine Stimme und eine Art.',
  'Describe your business': 'Ihren Betrieb beschreiben',
  'Opening hours, services and questions: what the agent knows.':
    'Öffnungszeiten, Leistungen und Fragen: was der Agent weiß.',
  'Join them in a campaign': 'Beides in einer Kampagne verbinden',
  'It answers calls to its numbers, and calls lists of contacts.':
    'Sie nimmt Anrufe an ihren Nummern an und ruft Listen von Kontakten an.',
  'Connect a trunk': 'Einen Trunk verbinden',
  'The account at your telephone provider, or your own exchange.':
    'Das Konto bei Ihrem Telefonanbieter oder Ihre eigene Telefonanlage.',
  'To the trunks': 'Zu den Trunks',
  'Get a number': 'Eine Nummer besorgen',
  'Give it to the campaign that is to answer it.': 'Geben Sie sie der Kampagne, die abnehmen soll.',
  'To the numbers': 'Zu den Nummern',
  'Make the first call': 'Den ersten Anruf machen',
  'Call the number, or place a call.': 'Rufen Sie die Nummer an, oder lassen Sie anrufen.',
  '(done)': '(erledigt)',
  Today: 'Heute',
  '7 days': '7 Tage',
  'The last 7 days': 'Die letzten 7 Tage',
  '30 days': '30 Tage',
  'The last 30 days': 'Die letzten 30 Tage',
  '90 days': '90 Tage',
  'The last 90 days': 'Die letzten 90 Tage',
  'After the first call you see here': 'Nach dem ersten Anruf sehen Sie hier',
  'Calls by day and hour': 'Anrufe nach Tag und Stunde',
  'How many were answered, by the agent or a machine, and how many were not.':
    'Wie viele angenommen wurden, vom Agenten oder einem Anrufbeantworter, und wie viele nicht.',
  Waits: 'Wartezeiten',
  'How long callers waited for each answer: half of the calls, and 95 in 100.':
    'Wie lange Anrufer auf jede Antwort warteten: bei der Hälfte der Anrufe und bei 95 von 100.',
  'From answer to end, by day; from the second day each figure beside the day before.':
    'Vom Abnehmen bis zum Ende, nach Tag; ab dem zweiten Tag jede Zahl neben dem Vortag.',
  'today {now}, yesterday {before}': 'heute {now}, gestern {before}',
  'Live calls': 'Laufende Anrufe',
  'Live calls, {maxCalls} at most': 'Laufende Anrufe, höchstens {maxCalls}',
  Answered: 'Angenommen',
  'Wait, half / 95 in 100 within': 'Wartezeit, Hälfte / 95 von 100 binnen',
  'Turns failed, last hour': 'Ausgefallene Antworten, letzte Stunde',
  Failed: 'Gescheitert',
  'Live now': 'Gerade im Gespräch',
  'All live calls': 'Alle laufenden Anrufe',
  'Why calls failed': 'Warum Anrufe scheiterten',
  Unknown: 'Unbekannt',
  'Latest failures': 'Zuletzt gescheitert',
  'Calls by day': 'Anrufe nach Tag',
  'Answering machine': 'Anrufbeantworter',
  'Not answered': 'Nicht angenommen',
  'How long callers waited for an answer, in ms': 'Wie lange Anrufer auf eine Antwort warteten, in ms',
  'How long callers waited for an answer, by day': 'Wie lange Anrufer auf eine Antwort warteten, nach Tag',
  'Half of the calls within': 'Hälfte der Anrufe binnen',
  '95 in 100 calls within': '95 von 100 Anrufen binnen',
  'People notice a wait from about {ms} ms.': 'Ab etwa {ms} ms fällt das Warten auf.',
  'Minutes by day': 'Minuten nach Tag',
  'From answer to end': 'Vom Abnehmen bis zum Ende',
  'When people call': 'Wann angerufen wird',
  'No call of these days has ended yet.': 'Noch kein Anruf dieser Tage ist beendet.',
  'When people call, by hour': 'Wann angerufen wird, nach Stunde',
  Hour: 'Stunde',
  'Of the last {count} calls.': 'Von den letzten {count} Anrufen.',
  'Calls that run now. Open one to read along, or listen in, say a word, take it over.':
    'Anrufe, die gerade laufen. Öffnen Sie einen, um mitzulesen, mitzuhören, etwas zu sagen oder zu übernehmen.',
  'Running calls': 'Laufende Anrufe',
  'Nobody is on the line': 'Gerade telefoniert niemand',
  'Calls appear here by themselves as soon as they ring.': 'Anrufe erscheinen hier von selbst, sobald es klingelt.',
  With: 'Mit',
  Direction: 'Richtung',
  Inbound: 'Eingehend',
  Outbound: 'Ausgehend',
  State: 'Zustand',
  'Since it began': 'Seit Beginn',
  'This browser uses the microphone at its own rate only. Use another one to speak.':
    'Dieser Browser nutzt das Mikrofon nur mit eigener Abtastrate. Nehmen Sie zum Sprechen einen anderen.',
  'You may no longer listen: sign in again.': 'Sie dürfen nicht mehr mithören: melden Sie sich neu an.',
  'The line to the engine was lost.': 'Die Verbindung zur Anlage ging verloren.',
  'Listen in': 'Mithören',
  Connecting: 'Verbindet',
  'Above the caller, below the agent.': 'Oben der Anrufer, unten der Agent.',
  'You talk to the caller, and the agent is silent.': 'Sie sprechen mit dem Anrufer, der Agent schweigt.',
  'The agent hears you, the caller does not.': 'Der Agent hört Sie, der Anrufer nicht.',
  'Somebody else talks to the caller.': 'Jemand anderes spricht mit dem Anrufer.',
  'The agent is muted.': 'Der Agent ist stumm.',
  'The recording is silence for now.': 'Die Aufnahme ist vorerst still.',
  'Stop whispering': 'Flüstern beenden',
  'Whisper to the agent': 'Dem Agenten zuflüstern',
  'Hand back to the agent': 'An den Agenten zurückgeben',
  'Take over': 'Übernehmen',
  'Have the agent say': 'Den Agenten sagen lassen',
  'In the agent’s voice, as soon as both are silent.': 'Mit der Stimme des Agenten, sobald beide schweigen.',
  'Say it': 'Sagen',
  'Let the agent speak': 'Agenten sprechen lassen',
  'Mute the agent': 'Agenten stummschalten',
  'Record again': 'Wieder aufnehmen',
  'Mask the recording': 'Aufnahme stummschalten',
  'Days are those of {zone}: there are too many calls for others.':
    'Die Tage sind die von {zone}: für andere sind es zu viele Anrufe.',
};
