// The words of ends of calls, with what to do in Italian, by their English ones.
export default {
  'an appointment': 'un appuntamento',
  'the way to you': 'come arrivare',
  'a complaint': 'un reclamo',
  'appointment booked': 'appuntamento preso',
  'appointment moved': 'appuntamento spostato',
  'appointment cancelled': 'appuntamento annullato',
  'appointment confirmed': 'appuntamento confermato',
  'call back scheduled': 'richiamata programmata',
  'call back wanted': 'richiamata richiesta',
  'put through': 'passata a una persona',
  'no more calls wanted': 'non vuole altre chiamate',
  'the agent failed': 'l’agente ha fallito',
  'A machine answered; a message was left.': 'Ha risposto una segreteria; è stato lasciato un messaggio.',
  'A machine answered.': 'Ha risposto una segreteria.',
  'The caller said nothing.': 'Chi chiamava non ha detto nulla.',
  'The caller spoke once.': 'Chi chiamava ha parlato una volta.',
  'The agent failed, and the caller was left without an answer.':
    'L’agente ha fallito e chi chiamava è rimasto senza risposta.',
  'The caller was put through to a person.': 'Chi chiamava è stato passato a una persona.',
  'The caller asked to be called back.': 'Chi chiamava ha chiesto di essere richiamato.',
  'The person asked not to be called again.': 'La persona ha chiesto di non essere più chiamata.',
  'The call was cut off by a fault of the service.': 'La chiamata è stata interrotta da un guasto del servizio.',
  'Inbound call of {duration}.': 'Chiamata in entrata di {duration}.',
  'Outbound call of {duration}.': 'Chiamata in uscita di {duration}.',
  'It was about: {topics}.': 'Si è parlato di: {topics}.',
  'The caller spoke {count} times.': 'Chi chiamava ha parlato {count} volte.',
  'Booked: {service}, {time}.': 'Prenotato: {service}, {time}.',
  'The call was not answered: {outcome}.': 'La chiamata non ha avuto risposta: {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Un amministratore controlla nome utente e password del trunk, in Trunk.',
  'Check the number: is it complete, with its country code?':
    'Controllate il numero: è completo, con il prefisso del paese?',
  'Try again later.': 'Riprovate più tardi.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'Il guasto è del fornitore telefonico. Riprovate fra qualche minuto, poi chiedete a lui.',
  'The person does not want the call now. Do not try again soon.':
    'La persona non vuole la chiamata ora. Non riprovate subito.',
  'Ask the telephone provider: the credit may be used up.':
    'Chiedete al fornitore telefonico: forse il credito è finito.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Chiedete al fornitore se permette chiamate a questo numero, mostrando il vostro.',
  'The number is not in use any more. Take it out of your contacts.':
    'Il numero non è più in uso. Toglietelo dai contatti.',
  'An administrator adds a codec to the trunk, under Trunks.':
    'Un amministratore aggiunge un codec al trunk, in Trunk.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Un filtro ha preso la chiamata per spam. Chiedete al fornitore di garantire il vostro numero.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Un amministratore controlla che il firewall lasci passare l’audio (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Riprovate. Se continua, un amministratore guarda in Stato.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Un amministratore prova modello linguistico, riconoscimento e voce, in Modelli.',
  'Allow the microphone for this page in the browser, then try again.':
    'Permettete il microfono per questa pagina nel browser e riprovate.',
  'An administrator looks at Status: no call was taken for a while.':
    'Un amministratore guarda in Stato: per un po’ non è stata presa nessuna chiamata.',
  'Call again. The service has started anew by itself.': 'Richiamate. Il servizio si è riavviato da solo.',
  'Call again once the service runs.': 'Richiamate quando il servizio è in funzione.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Riprovate. Se continua, un amministratore guarda il trunk, in Trunk.',
  'Ask the telephone provider why it refuses the call.': 'Chiedete al fornitore telefonico perché rifiuta la chiamata.',
  'An administrator adds a trunk, under Trunks.': 'Un amministratore aggiunge un trunk, in Trunk.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Riprovate quando finisce una chiamata, o fatene permettere di più insieme.',
  'Resume the campaign, then call again.': 'Riprendete la campagna e richiamate.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Togliete il numero dalla lista da non chiamare solo se la persona vuole chiamate.',
  'What to do': 'Che cosa fare',
  'The telephone provider did not put the call through': 'Il fornitore telefonico non ha passato la chiamata',
  'The call does not say it.': 'La chiamata non lo dice.',
  'Without a language model this is not known.': 'Senza un modello linguistico non si sa.',
};
