// The words of errors, with what to do in Italian, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'Non siete più connessi. Accedete di nuovo.',
  'It has been deleted. Choose another one.': 'È stato eliminato. Sceglietene un altro.',
  'This number is no longer on offer. Search again, and choose another.':
    'Questo numero non è più in offerta. Cercate di nuovo e sceglietene un altro.',
  'You have as many as an account may have. Delete one first.':
    'Ne avete già quanti può averne un account. Eliminatene prima uno.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Ce n’è troppo in corso insieme. Riprovate fra un momento.',
  'Too many attempts. Try again in some minutes.': 'Troppi tentativi. Riprovate fra qualche minuto.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'Ora non si possono fare chiamate. Riprovate tra qualche secondo. Gli amministratori vedono la causa in Stato.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Tutte le linee sono occupate. Riprovate quando una chiamata in corso è finita.',
  'The service is busy or starting anew. Try again in a moment.':
    'Il servizio è occupato o si riavvia. Riprovate fra un momento.',
  'This link was used or has expired. Have a new one sent.':
    'Questo link è già stato usato o è scaduto. Fatevene inviare uno nuovo.',
  'The code is wrong, used or too old. Have a new one sent.':
    'Il codice è sbagliato, usato o troppo vecchio. Fatevene inviare uno nuovo.',
  'The password is wrong.': 'La password è sbagliata.',
  'The code is wrong. Take the one that the app shows now.':
    'Il codice è sbagliato. Usate quello che l’app mostra ora.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'Il codice è sbagliato o vecchio. Usate quello che l’app mostra ora o accedete di nuovo.',
  'The page could not be read. Check its address, or type the facts in.':
    'Non è stato possibile leggere la pagina. Controllate l’indirizzo o inserite i dati.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'Non è stato possibile leggere il documento. Controllate che si apra e non abbia password.',
  'Nothing is sent to this address. It must be a public https address.':
    'A questo indirizzo non si invia nulla. Deve essere un indirizzo https pubblico.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'L’indirizzo non ha risposto come deve. Controllate che il sistema funzioni e risponda 2xx.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'Indirizzo e-mail o password sbagliati. Riprovate o impostate una nuova password.',
  'The sign-in did not work. Begin it again.': 'L’accesso non è riuscito. Ricominciate.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'Il vostro ruolo non lo permette. Chiedete a chi gestisce l’account.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'Il vostro indirizzo e-mail non è ancora confermato. Aprite il link del messaggio ricevuto.',
  'Passwords are off here. Use the sign-in of your company.':
    'Qui le password sono disattivate. Usate l’accesso della vostra azienda.',
  'The sign-in was refused.': 'L’accesso è stato rifiutato.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Qui i nuovi account si creano su invito. Chiedetelo al gestore.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Non c’è più o è di un altro account. Tornate all’elenco.',
  'The agent is switched off. Switch it on, or choose another.':
    'L’agente è disattivato. Attivatelo o sceglietene un altro.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Una campagna in corso usa questo agente. Mettetela prima in pausa.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'La reception integrata non accetta istruzioni. Fatele dire le vostre parole.',
  'Another appointment is at that time. Choose another time.':
    'A quell’ora c’è già un appuntamento. Scegliete un altro orario.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'Il gestore non ha ancora configurato l’accesso a Google e Microsoft.',
  'The call has not ended yet. End it first.': 'La chiamata non è ancora finita. Terminatela prima.',
  'The call has ended already.': 'La chiamata è già finita.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Nessuno ha ancora risposto. Riprovate quando rispondono.',
  'Somebody talks to the caller already.': 'Qualcuno parla già con chi chiama.',
  'The caller was put through to a person already.': 'Chi chiama è già stato passato a una persona.',
  'An answering machine has taken the call.': 'Una segreteria ha preso la chiamata.',
  'The campaign is running. Pause it first.': 'La campagna è in corso. Mettetela prima in pausa.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'La campagna è finita e non chiama più nessuno. Sceglietene un’altra.',
  'The campaign has no phone number. Give it one in its settings.':
    'La campagna non ha un numero. Datele uno nelle impostazioni.',
  'The campaign is paused. Resume it first.': 'La campagna è in pausa. Riprendetela prima.',
  'The campaign has changed meanwhile. Load the page again.':
    'La campagna è cambiata nel frattempo. Ricaricate la pagina.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Si sta già provando una versione. Prima pubblicatela, scartatela o fermatela.',
  'Numbers of this carrier are in use. Release them first.':
    'Numeri di questo operatore sono in uso. Rilasciateli prima.',
  'There is no trunk at this carrier yet. Make it first.':
    'Non c’è ancora un trunk presso questo operatore. Createlo prima.',
  'The carrier refused it.': 'L’operatore l’ha rifiutato.',
  'The carrier does not answer. Try again in a few minutes.': 'L’operatore non risponde. Riprovate fra qualche minuto.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Qualcun altro ha modificato questo nel frattempo: {fields}. Ciò che ha scritto è ancora qui. Salvi di nuovo per sostituire la sua modifica, o scarti la propria per vederla.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Qualcun altro l’ha modificato nello stesso momento. Ricaricate, poi modificate.',
  'The contact is being called. Wait until the call has ended.':
    'Si sta chiamando il contatto. Aspettate la fine della chiamata.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Nessun numero della campagna può inviare messaggi. Quelli di Twilio, Telnyx o Plivo possono.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'C’è già un account con questo indirizzo. Accedete o impostate una nuova password.',
  'You do not listen to the call any more. Begin to listen again.':
    'Non state più ascoltando la chiamata. Riprendete l’ascolto.',
  'Nothing waits to be published.': 'Niente attende la pubblicazione.',
  'The carrier could not reach this service. The operator sets its address.':
    'L’operatore non potrebbe raggiungere questo servizio. Il gestore imposta l’indirizzo.',
  'Nothing can be paid here: no payment provider is set up.':
    'Qui non si può pagare: nessun fornitore di pagamenti è configurato.',
  'The call is not recorded.': 'La chiamata non è registrata.',
  'The caller is keying in a secret number. Wait until that is done.':
    'Chi chiama sta digitando un numero segreto. Aspettate che finisca.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Un’altra campagna in corso usa questo numero. Mettetela in pausa o scegliete un altro numero.',
  'Somebody has this number already.': 'Qualcuno ha già questo numero.',
  'This number is not paid for. Check your card under Billing.':
    'Questo numero non è pagato. Controllate la carta in Fatturazione.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Questo numero è nella lista da non chiamare. Toglietelo solo se la persona vuole essere chiamata.',
  'The payment was declined. Use another card under Billing.':
    'Il pagamento è stato rifiutato. Usate un’altra carta in Fatturazione.',
  'An order for this number is under way already.': 'C’è già un ordine in corso per questo numero.',
  'This number is being bought already. Wait a moment.': 'Questo numero è già in acquisto. Aspettate un momento.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Un acquisto precedente è in corso. Riprovate fra un minuto.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'Ne avete quanti ne permette il piano. Eliminatene alcuni o scegliete un piano più grande.',
  'Calls are being read again already. Wait until that is done.':
    'Le chiamate sono già in rilettura. Aspettate che finisca.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'Non potete rimuovere voi stessi. Chiedete a qualcun altro del team.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'Il gestore l’ha impostato altrove: qui non si può cambiare.',
  'Another softphone has this user name. Choose another.':
    'Un altro softphone ha questo nome utente. Sceglietene un altro.',
  'You could not be called. Check the number, then try again.':
    'Non è stato possibile chiamarvi. Controllate il numero e riprovate.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'Non tutti i test necessari sono superati. Aprite l’ultima esecuzione e correggete ciò che è fallito.',
  'Tests are running already. Wait until they are done.': 'Ci sono già test in corso. Aspettate che finiscano.',
  'The suite has no case yet. Add one first.': 'La serie non ha ancora casi. Aggiungetene prima uno.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Un agente, un’attività o una campagna usa questo strumento. Toglietelo prima da lì.',
  'Another tool has this name. Choose another.': 'Un altro strumento ha questo nome. Sceglietene un altro.',
  'The caller is being put through already.': 'Chi chiama è già in trasferimento.',
  'The file is too large. Split it, or make it smaller.': 'Il file è troppo grande. Dividetelo o riducetelo.',
  'This number may not be called from here. An administrator can allow its country.':
    'Questo numero non si può chiamare da qui. Un amministratore può permettere il suo paese.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Troppe password sbagliate. Aspettate qualche minuto o impostatene una nuova.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'Il limite di messaggi o di spesa è raggiunto. Non è stato inviato nulla.',
  'As many people listen as may. Try again when one has stopped.':
    'Ascolta già il massimo di persone. Riprovate quando qualcuno smette.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'I minuti del piano sono finiti. Fatturazione mostra quando ricominciano.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Questo destinatario ha ricevuto dieci messaggi in un’ora. Riprovate più tardi.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'I minuti in uscita di quest’ora o giorno sono finiti. Un amministratore può permetterne altri.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Qualcosa è andato storto nel servizio. Riprovate; se continua, date al gestore il numero qui sotto.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Registrazioni e documenti non sono raggiungibili ora. Riprovate fra qualche minuto.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'L’accesso della vostra azienda non risponde. Riprovate fra qualche minuto.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'Il modello linguistico non ha dato una risposta utile. Riprovate. Gli amministratori lo provano in Modelli.',
  'The test took too long. Try again.': 'La prova è durata troppo. Riprovate.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'Non c’è un trunk per chiamare. Un amministratore lo aggiunge in Trunk.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'Il fornitore telefonico non risponde. Gli amministratori vedono la causa in Trunk.',
  'The payment could not be made now. Try again in a few minutes.':
    'Il pagamento non è stato possibile ora. Riprovate fra qualche minuto.',
  'The voice could not be played. Try again in a moment.':
    'Non è stato possibile riprodurre la voce. Riprovate fra un momento.',
  'This is not there any more: choose another one.': 'Non c’è più: sceglietene un altro.',
  'Please fill this in.': 'Compilate questo campo.',
  'Write a whole address, which begins with https://': 'Scrivete l’indirizzo intero, che inizia con https://',
  'Write a whole e-mail address.': 'Scrivete l’indirizzo e-mail intero.',
  'Choose a date and a time.': 'Scegliete data e ora.',
  'Choose a date.': 'Scegliete una data.',
  'Choose a time zone of the list.': 'Scegliete un fuso orario dall’elenco.',
  'Choose a time that is still to come.': 'Scegliete un momento futuro.',
  'Choose a time that has passed.': 'Scegliete un momento passato.',
  'Choose two different times.': 'Scegliete due orari diversi.',
  'Three letters, as EUR, USD or GBP.': 'Tre lettere, come EUR, CHF o USD.',
  'At most two decimals.': 'Al massimo due decimali.',
  'This is not right yet.': 'Non è ancora giusto.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Scrivete il numero con il prefisso del paese, come +39 06 1234 5678.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Qui non sono permesse chiamate a questo numero. Un amministratore può permettere il suo paese.',
  'At least {number} characters.': 'Almeno {number} caratteri.',
  'At most {number} characters.': 'Al massimo {number} caratteri.',
  'At least {number} of them.': 'Almeno {number}.',
  'At most {number} of them.': 'Al massimo {number}.',
  '{number} or more.': '{number} o più.',
  '{number} or less.': '{number} o meno.',
  'More than {number}.': 'Più di {number}.',
  'Less than {number}.': 'Meno di {number}.',
  'There is no softphone of this name.': 'Non c’è un softphone con questo nome.',
};
