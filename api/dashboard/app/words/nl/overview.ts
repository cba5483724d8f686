// The words of the overview, and of live and browser calls, in Dutch, by their English ones.
export default {
  'As a table': 'Als tabel',
  'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.':
    'Browsers geven de microfoon alleen aan veilige pagina’s. Open deze pagina met https://, of op de machine zelf als http://localhost.',
  'The microphone was refused. Allow it for this page in the browser’s address bar, then try again.':
    'De microfoon is geweigerd. Sta hem voor deze pagina toe in de adresbalk en probeer het opnieuw.',
  'No microphone was found. Connect one, then try again.':
    'Er is geen microfoon gevonden. Sluit er een aan en probeer het opnieuw.',
  'The microphone is in use by another program. Close that program, then try again.':
    'Een ander programma gebruikt de microfoon. Sluit dat en probeer het opnieuw.',
  'The microphone could not be opened. Check it in the settings of the browser and the system.':
    'De microfoon kon niet worden geopend. Controleer hem in de instellingen van de browser en het systeem.',
  'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.':
    'De audioverbinding op {host} is vanuit deze browser niet bereikbaar. Achter een proxy zegt MEDIA_WS_PUBLIC_URL waar browsers haar vinden.',
  Close: 'Sluiten',
  'A call from this browser, answered as a phone call to the campaign would be.':
    'Een gesprek vanuit deze browser, aangenomen zoals een telefoontje naar de campagne.',
  'Try it by text': 'Per tekst proberen',
  'No campaigns yet': 'Nog geen campagnes',
  'A campaign says which agent speaks, and for which business. Make one, then talk to it here.':
    'Een campagne zegt welke agent spreekt, en voor welk bedrijf. Maak er een en praat hier met hem.',
  '{used} of {limit} minutes of this month are used; they begin again on {date}.':
    '{used} van {limit} minuten van deze maand zijn gebruikt; ze beginnen opnieuw op {date}.',
  'Without minutes no call is placed; callers are answered all the same.':
    'Zonder minuten wordt geen gesprek gestart; bellers worden toch beantwoord.',
  'The webhook [{url}] was switched off: its address answered that it is gone.':
    'De webhook [{url}] is uitgeschakeld: zijn adres bestaat niet meer.',
  'The webhook [{url}] was switched off: it failed for five days.':
    'De webhook [{url}] is uitgeschakeld: hij mislukte vijf dagen lang.',
  'The trunk [{name}] does not answer: calls through it fail.':
    'De trunk [{name}] antwoordt niet: gesprekken erover mislukken.',
  'The trunk [{name}] could not be registered: calls through it fail.':
    'De trunk [{name}] kon niet worden aangemeld: gesprekken erover mislukken.',
  'First steps': 'Eerste stappen',
  'Do not show again': 'Niet meer tonen',
  'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.':
    'Geef het adres van uw website: openingstijden, prijzen en antwoorden worden ervan gelezen, u kiest een stem en praat met uw agent. Ongeveer vijf minuten.',
  'Go on with the set-up': 'Verder met instellen',
  'Talk to the demo': 'Met de demo praten',
  'Hear the demo answer': 'Hoor de demo opnemen',
  'From this browser: ask for the opening hours, interrupt it, book an appointment.':
    'Vanuit deze browser: vraag naar de openingstijden, val hem in de rede, maak een afspraak.',
  'Make an agent': 'Een agent maken',
  'A name, a voice and a manner.': 'Een naam, een stem en een manier van doen.',
  'Describe your business': 'Uw bedrijf beschrijven',
  'Opening hours, services and questions: what the agent knows.':
    'Openingstijden, diensten en vragen: wat de agent weet.',
  'Join them in a campaign': 'Ze samenbrengen in een campagne',
  'It answers calls to its numbers, and calls lists of contacts.':
    'Ze neemt gesprekken op haar nummers aan en belt lijsten van contacten.',
  'Connect a trunk': 'Een trunk verbinden',
  'The account at your telephone provider, or your own exchange.':
    'Het account bij uw telefoonaanbieder, of uw eigen centrale.',
  'To the trunks': 'Naar de trunks',
  'Get a number': 'Een nummer nemen',
  'Give it to the campaign that is to answer it.': 'Geef het aan de campagne die moet opnemen.',
  'To the numbers': 'Naar de nummers',
  'Make the first call': 'Het eerste gesprek voeren',
  'Call the number, or place a call.': 'Bel het nummer, of start een gesprek.',
  '(done)': '(klaar)',
  Today: 'Vandaag',
  '7 days': '7 dagen',
  'The last 7 days': 'De laatste 7 dagen',
  '30 days': '30 dagen',
  'The last 30 days': 'De laatste 30 dagen',
  '90 days': '90 dagen',
  'The last 90 days': 'De laatste 90 dagen',
  'After the first call you see here': 'Na het eerste gesprek ziet u hier',
  'Calls by day and hour': 'Gesprekken per dag en uur',
  'How many were answered, by the agent or a machine, and how many were not.':
    'Hoeveel er zijn aangenomen, door de agent of een antwoordapparaat, en hoeveel niet.',
  Waits: 'Wachttijden',
  'How long callers waited for each answer: half of the calls, and 95 in 100.':
    'Hoe lang bellers op elk antwoord wachtten: bij de helft van de gesprekken, en bij 95 van de 100.',
  'From answer to end, by day; from the second day each figure beside the day before.':
    'Van opnemen tot einde, per dag; vanaf de tweede dag elk cijfer naast dat van de dag ervoor.',
  'today {now}, yesterday {before}': 'vandaag {now}, gisteren {before}',
  'Live calls': 'Lopende gesprekken',
  'Live calls, {maxCalls} at most': 'Lopende gesprekken, hoogstens {maxCalls}',
  Answered: 'Aangenomen',
  'Wait, half / 95 in 100 within': 'Wachttijd, helft / 95 van 100 binnen',
  'Turns failed, last hour': 'Mislukte antwoorden, laatste uur',
  Failed: 'Mislukt',
  'Live now': 'Nu in gesprek',
  'All live calls': 'Alle lopende gesprekken',
  'Why calls failed': 'Waarom gesprekken mislukten',
  Unknown: 'Onbekend',
  'Latest failures': 'Laatst mislukt',
  'Calls by day': 'Gesprekken per dag',
  'Answering machine': 'Antwoordapparaat',
  'Not answered': 'Niet aangenomen',
  'How long callers waited for an answer, in ms': 'Hoe lang bellers op een antwoord wachtten, in ms',
  'How long callers waited for an answer, by day': 'Hoe lang bellers op een antwoord wachtten, per dag',
  'Half of the calls within': 'Helft van de gesprekken binnen',
  '95 in 100 calls within': '95 van 100 gesprekken binnen',
  'People notice a wait from about {ms} ms.': 'Vanaf ongeveer {ms} ms valt het wachten op.',
  'Minutes by day': 'Minuten per dag',
  'From answer to end': 'Van opnemen tot einde',
  'When people call': 'Wanneer er gebeld wordt',
  'No call of these days has ended yet.': 'Nog geen gesprek van deze dagen is beëindigd.',
  'When people call, by hour': 'Wanneer er gebeld wordt, per uur',
  Hour: 'Uur',
  'Of the last {count} calls.': 'Van de laatste {count} gesprekken.',
  'Calls that run now. Open one to read along, or listen in, say a word, take it over.':
    'Gesprekken die nu lopen. Open er een om mee te lezen, mee te luisteren, iets te zeggen of over te nemen.',
  'Running calls': 'Lopende gesprekken',
  'Nobody is on the line': 'Er is niemand aan de lijn',
  'Calls appear here by themselves as soon as they ring.':
    'Gesprekken verschijnen hier vanzelf zodra het gaat rinkelen.',
  With: 'Met',
  Direction: 'Richting',
  Inbound: 'Inkomend',
  Outbound: 'Uitgaand',
  State: 'Toestand',
  'Since it began': 'Sinds het begin',
  'This browser uses the microphone at its own rate only. Use another one to speak.':
    'Deze browser gebruikt de microfoon alleen op zijn eigen frequentie. Gebruik een andere om te spreken.',
  'You may no longer listen: sign in again.': 'U mag niet meer meeluisteren: meld u opnieuw aan.',
  'The line to the engine was lost.': 'De verbinding met de centrale ging verloren.',
  'Listen in': 'Meeluisteren',
  Connecting: 'Verbindt',
  'Above the caller, below the agent.': 'Boven de beller, onder de agent.',
  'You talk to the caller, and the agent is silent.': 'U praat met de beller en de agent zwijgt.',
  'The agent hears you, the caller does not.': 'De agent hoort u, de beller niet.',
  'Somebody else talks to the caller.': 'Iemand anders praat met de beller.',
  'The agent is muted.': 'De agent is gedempt.',
  'The recording is silence for now.': 'De opname is voorlopig stil.',
  'Stop whispering': 'Stoppen met fluisteren',
  'Whisper to the agent': 'De agent toefluisteren',
  'Hand back to the agent': 'Teruggeven aan de agent',
  'Take over': 'Overnemen',
  'Have the agent say': 'De agent laten zeggen',
  'In the agent’s voice, as soon as both are silent.': 'Met de stem van de agent, zodra beiden zwijgen.',
  'Say it': 'Zeggen',
  'Let the agent speak': 'Agent laten praten',
  'Mute the agent': 'Agent dempen',
  'Record again': 'Weer opnemen',
  'Mask the recording': 'Opname verbergen',
  'Days are those of {zone}: there are too many calls for others.':
    'De dagen zijn die van {zone}: voor andere zijn er te veel gesprekken.',
};
