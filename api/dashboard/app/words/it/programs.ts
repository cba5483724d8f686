// The words of webhooks, API keys and the audit log in Italian, by their English ones.
export default {
  'All deliveries': 'Tutte le consegne',
  'Failed only': 'Solo fallite',
  'Delivered only': 'Solo riuscite',
  Deliveries: 'Consegne',
  Show: 'Mostra',
  'Nothing sent yet': 'Ancora niente inviato',
  'No such delivery': 'Nessuna consegna così',
  'Send a test': 'Invia una prova',
  'Deliveries are kept for 30 days.': 'Le consegne si conservano 30 giorni.',
  Event: 'Evento',
  Time: 'Tempo',
  Replay: 'Ripeti',
  'Attempt {number}': 'Tentativo {number}',
  Fault: 'Errore',
  Payload: 'Contenuto',
  'Answer of the receiver': 'Risposta del destinatario',
  'Without a body.': 'Senza contenuto.',
  'A replay sends the same bytes under the same webhook-id, with a new signature.':
    'Ripetere invia gli stessi byte con lo stesso webhook-id e una nuova firma.',
  'An inbound or browser call has arrived': 'È arrivata una chiamata in entrata o dal browser',
  'An outbound call is being placed': 'Si sta facendo una chiamata in uscita',
  'A call has ended, answered or not: with transcript and summary':
    'Una chiamata è finita, con o senza risposta: con trascrizione e riassunto',
  'Beside call.ended: nobody answered, or it broke down': 'Oltre a call.ended: nessuno ha risposto o si è interrotta',
  'Beside call.ended: an answering machine took it': 'Oltre a call.ended: l’ha presa una segreteria',
  'The caller was handed to a person': 'Chi chiamava è stato passato a una persona',
  'A call goes on in another language': 'Una chiamata continua in un’altra lingua',
  'A call went on after its engine had died or was replaced':
    'Una chiamata è continuata dopo il guasto o la sostituzione del motore',
  'What you want to know of a call was found after its end':
    'Ciò che volete sapere di una chiamata è stato trovato dopo la fine',
  'An appointment was booked on a call': 'In una chiamata è stato preso un appuntamento',
  'An appointment was moved, cancelled or booked again': 'Un appuntamento è stato spostato, annullato o ripreso',
  'A contact asked not to be called again': 'Un contatto ha chiesto di non essere più chiamato',
  'Every contact of a campaign has been dealt with': 'Tutti i contatti di una campagna sono stati gestiti',
  'A port-in order has changed its status': 'Un numero portato ha cambiato stato',
  'A version that led a share of the calls was published, or has gone back':
    'Una versione che conduceva una quota delle chiamate è stata pubblicata o ritirata',
  'The outbound minutes of an hour or a day have reached a limit':
    'I minuti in uscita di un’ora o di un giorno hanno raggiunto un limite',
  'The receiver answered 410 Gone, so the service stopped delivering.':
    'Il destinatario ha risposto 410 Gone, quindi il servizio ha smesso di inviare.',
  'Every attempt of five days failed, so the service stopped delivering.':
    'Ogni tentativo di cinque giorni è fallito, quindi il servizio ha smesso di inviare.',
  'It is switched off.': 'È disattivato.',
  'Send it': 'Invia',
  'A complete sample, signed like any other. It is sent once and never repeated.':
    'Un esempio completo, firmato come gli altri. Si invia una volta e non si ripete.',
  URL: 'URL',
  'HTTPS, on a public address. It must answer a signed probe with 2xx within 10 seconds.':
    'HTTPS, a un indirizzo pubblico. Deve rispondere 2xx a una prova firmata entro 10 secondi.',
  'Choose none': 'Nessuno',
  'Choose all': 'Tutti',
  'Choose at least one event.': 'Scegliete almeno un evento.',
  'Create the webhook': 'Crea il webhook',
  'Webhook created': 'Webhook creato',
  'Secret of its signatures': 'Segreto delle sue firme',
  'Give it to your receiver: each delivery carries {header}, an HMAC-SHA256 with the SHA-256 of this secret as its key.':
    'Datelo al vostro destinatario: ogni consegna porta {header}, un HMAC-SHA256 con lo SHA-256 di questo segreto come chiave.',
  'New secret: the old one is no longer used': 'Nuovo segreto: il vecchio non si usa più',
  'Events of this time are not sent later. When the receiver works, switch it on: delivery starts with the next event.':
    'Gli eventi di questo periodo non vengono inviati dopo. Quando il destinatario funziona, attivatelo: si riparte dal prossimo evento.',
  'Failed since the last success': 'Fallite dall’ultimo successo',
  'Last delivery': 'Ultima consegna',
  'Rotate the secret?': 'Rinnovare il segreto?',
  'Deliveries to {url} are signed with the new secret from now on. A receiver that still has the old one refuses them until you have changed it there.':
    'Le consegne a {url} si firmano d’ora in poi con il nuovo segreto. Un destinatario con il vecchio le rifiuta finché non lo cambiate lì.',
  'Rotate the secret': 'Rinnova il segreto',
  'Delete this webhook?': 'Eliminare questo webhook?',
  '{url} receives no more events. Deliveries waiting for another attempt are dropped.':
    '{url} non riceve più eventi. Le consegne in attesa di un altro tentativo decadono.',
  'Delete the webhook': 'Elimina il webhook',
  'Webhook deleted': 'Webhook eliminato',
  'Only a digest of it is kept: a lost secret is replaced, not looked up.':
    'Se ne conserva solo un’impronta: un segreto perso si sostituisce, non si recupera.',
  'The log of its deliveries stays in the service for 30 days.':
    'Il registro delle sue consegne resta 30 giorni nel servizio.',
  'Your system is told of calls, appointments and campaigns as they happen.':
    'Il vostro sistema viene informato di chiamate, appuntamenti e campagne quando accadono.',
  'No webhooks yet': 'Ancora nessun webhook',
  'Enter an HTTPS address of your system and choose the events it should receive. Each delivery is signed, and retried for up to two days if your system does not answer.':
    'Inserite un indirizzo HTTPS del vostro sistema e scegliete gli eventi da ricevere. Ogni consegna è firmata e viene ripetuta fino a due giorni se il sistema non risponde.',
  '{first}, {second} and {count} more': '{first}, {second} e altri {count}',
  'Stopped after failures': 'Fermato dopo errori',
  '1 failed attempt': '1 tentativo fallito',
  '{count} failed attempts': '{count} tentativi falliti',
  Webhook: 'Webhook',
  'Calls, recordings, contacts, settings': 'Chiamate, registrazioni, contatti, impostazioni',
  'Place, end and control calls, listen in, start campaigns':
    'Fare, terminare e gestire chiamate, ascoltare, avviare campagne',
  'Create, change and delete everything else': 'Creare, modificare ed eliminare tutto il resto',
  'When it is revoked': 'Quando viene revocata',
  'After 30 days': 'Dopo 30 giorni',
  'After 90 days': 'Dopo 90 giorni',
  'After a year': 'Dopo un anno',
  'New API key': 'Nuova chiave API',
  'Revoke “{name}”?': 'Revocare «{name}»?',
  'Programs that use it are refused from now on. A revoked key cannot be brought back.':
    'I programmi che la usano vengono rifiutati da ora. Una chiave revocata non si recupera.',
  'Revoke the key': 'Revoca la chiave',
  'API key revoked': 'Chiave API revocata',
  'For programs that use the API. A key can do what you let it do with calls, campaigns and numbers, and nothing with passwords or people.':
    'Per programmi che usano l’API. Una chiave può ciò che le permettete con chiamate, campagne e numeri, e nulla con password o persone.',
  'No API keys yet': 'Ancora nessuna chiave API',
  'Make one for each program, to see which keys are still in use and to revoke them one by one.':
    'Createne una per ogni programma: vedrete quali sono ancora in uso e potrete revocarle una per una.',
  May: 'Può',
  Everything: 'Tutto',
  Never: 'Mai',
  Ends: 'Termina',
  'Revoke {name}': 'Revoca {name}',
  Revoke: 'Revoca',
  'API key “{name}”': 'Chiave API «{name}»',
  'API key': 'Chiave API',
  'The key': 'La chiave',
  'Create the key': 'Crea la chiave',
  'The program that will use it': 'Il programma che la userà',
  'Nightly import': 'Importazione notturna',
  'It may': 'Può',
  'It ends': 'Scade',
  'Who did what in this account. Names of fields are noted, their values never.':
    'Chi ha fatto che cosa in questo account. Si annotano i nomi dei campi, mai i valori.',
  'Who did what in the installation. Names of fields are noted, their values never.':
    'Chi ha fatto che cosa nell’installazione. Si annotano i nomi dei campi, mai i valori.',
  'Command line': 'Riga di comando',
  Action: 'Azione',
  Record: 'Oggetto',
  Fields: 'Campi',
  'IP address': 'Indirizzo IP',
  'Nothing fits these filters': 'Niente corrisponde a questi filtri',
  'Nothing is noted yet': 'Ancora niente annotato',
  'Each change of agents, businesses, campaigns, numbers and people is noted here, each sign-in, and each recording that somebody has heard. Entries stay for 400 days.':
    'Qui si annota ogni modifica di agenti, attività, campagne, numeri e persone, ogni accesso e ogni registrazione ascoltata. Le voci restano 400 giorni.',
  'by an API key': 'con una chiave API',
  'Only entries of {name}': 'Solo voci di {name}',
  Appointment: 'Appuntamento',
  'Model settings': 'Impostazioni dei modelli',
  'Port order': 'Portabilità',
  'Sign-in': 'Accesso',
  User: 'Utente',
  'Website key': 'Chiave del sito',
};
