// The words of settings and billing in Italian, by their English ones.
export default {
  'Shown in the mails that invite people': 'Appare nelle e-mail d’invito',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'I vostri minuti mensili si contano in esso. Attività e campagne hanno il proprio.',
  'Default campaign': 'Campagna predefinita',
  'It answers calls to numbers that serve no campaign': 'Risponde ai numeri che non servono alcuna campagna',
  'None: such calls are refused': 'Nessuna: queste chiamate sono rifiutate',
  'Keep calls for … days': 'Conserva le chiamate per … giorni',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'Dalla prossima notte le chiamate più vecchie vengono cancellate, con registrazione e trascrizione. Non si può annullare.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'Le chiamate più vecchie si cancellano ogni notte, con registrazione e trascrizione. Vuoto: si conservano.',
  Plan: 'Piano',
  Account: 'Account',
  'Your password is changed. All other sessions have ended.':
    'La vostra password è cambiata. Tutte le altre sessioni sono terminate.',
  'Change the password': 'Cambia la password',
  'Forgot the old one?': 'Dimenticata la vecchia?',
  'Old password': 'Vecchia password',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 caratteri o più. Tutte le altre sessioni terminano; le chiavi API restano.',
  'Your recovery codes': 'I vostri codici di recupero',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Ognuno vi fa accedere una volta se perdete il telefono. Sono mostrati solo ora: conservateli in un posto sicuro.',
  'Recovery codes': 'Codici di recupero',
  'I have saved them': 'Li ho salvati',
  'Two-factor sign-in is off': 'L’accesso a due fattori è disattivato',
  On: 'Sì',
  'Two-factor sign-in': 'Accesso a due fattori',
  'Signing in takes the password and a code of your authenticator app.':
    'Per accedere servono la password e un codice della vostra app di autenticazione.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'Oltre alla password, un codice di un’app sul telefono: così una password trapelata non basta.',
  'Switch it off': 'Disattivalo',
  'Set it up': 'Configuralo',
  'Switch it on': 'Attivalo',
  'Scan this with your authenticator app, or type the secret into it.':
    'Scansionate questo con la vostra app o scrivetevi il segreto.',
  'QR code of the secret below': 'Codice QR del segreto qui sotto',
  'Six digits that the app shows now': 'Sei cifre che l’app mostra ora',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'Allora basta la password. I codici di recupero non valgono più.',
  'From the app, or a recovery code': 'Dall’app, o un codice di recupero',
  'Ended the session': 'Sessione terminata',
  'End all other sessions?': 'Terminare tutte le altre sessioni?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Ogni altro browser o programma con il vostro accesso deve accedere di nuovo. Le chiavi API restano.',
  'End all others': 'Termina tutte le altre',
  'Ended one session': 'Una sessione terminata',
  'Ended {count} sessions': '{count} sessioni terminate',
  Sessions: 'Sessioni',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Dove avete effettuato l’accesso. Una sessione inutilizzata per una settimana termina da sola.',
  Device: 'Dispositivo',
  'This one': 'Questo',
  'Signed in': 'Accesso',
  'Identity provider': 'Provider d’identità',
  'Last used': 'Ultimo uso',
  'End this session': 'Termina questa sessione',
  'End this session: {device}, {address}': 'Termina questa sessione: {device}, {address}',
  'unknown address': 'indirizzo sconosciuto',
  Team: 'Team',
  Security: 'Sicurezza',
  'A mail with the link is on its way to {email}': 'Un’e-mail con il link è in viaggio verso {email}',
  'Remove {email}?': 'Rimuovere {email}?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'Le sue sessioni e chiavi API terminano subito. Ciò che ha configurato resta.',
  '{email} is removed': '{email} è stato rimosso',
  Invite: 'Invita',
  'Send the invitation': 'Invia l’invito',
  'No mail server is set: send this link to {email} yourself':
    'Nessun server di posta: inviate voi questo link a {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Imposta la password e vale 7 giorni. Con SMTP_URL lo invia il servizio.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Un link imposta la password; vale 7 giorni e uno nuovo annulla il precedente. Tutti nell’account vedono gli stessi dati e possono invitare e rimuovere.',
  '(you)': '(voi)',
  Role: 'Ruolo',
  Viewer: 'Solo lettura',
  Operator: 'Operatore',
  Member: 'Membro',
  Admin: 'Amministratore',
  Invited: 'Invitato',
  'Two-factor': 'Due fattori',
  'New link for {email}': 'Nuovo link per {email}',
  'New link': 'Nuovo link',
  'Remove {email}': 'Rimuovi {email}',
  'Costs of the calls': 'Costi delle chiamate',
  'Minutes of this month': 'Minuti di questo mese',
  'Minutes used': 'Minuti usati',
  'minutes used, without a limit': 'minuti usati, senza limite',
  'of {limit} minutes used': 'di {limit} minuti usati',
  'Counted from zero again on {time}.': 'Si riparte da zero il {time}.',
  'Minutes beyond the plan cost $0.05 each.': 'I minuti oltre il piano costano $0,05 ciascuno.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'I minuti sono finiti: le chiamate in uscita sono rifiutate, a quelle in entrata si risponde.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Quando finiscono, le chiamate in uscita sono rifiutate; a quelle in entrata si risponde sempre.',
  Payment: 'Pagamento',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'Su questa installazione non si addebita nulla. Qui sotto si annota soltanto quanto costerebbero numeri e minuti.',
  Card: 'Carta',
  '{brand} ending in {digits}': '{brand} che termina con {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Ancora nessuna carta: non si possono acquistare numeri a pagamento.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Le carte si aggiungono su una pagina di Stripe; si addebita l’ultima aggiunta.',
  'Use another card': 'Usa un’altra carta',
  'Add a card': 'Aggiungi una carta',
  Charges: 'Addebiti',
  'No charges': 'Nessun addebito',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Qui si annotano i numeri con prezzo mensile e i minuti oltre il piano.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'I numeri si addebitano per mese solare, i minuti oltre il piano a fine mese.',
  Date: 'Data',
  For: 'Per',
  'Number {phoneNumber}': 'Numero {phoneNumber}',
  'Minutes beyond the plan': 'Minuti oltre il piano',
  Recorded: 'Annotato',
  Paid: 'Pagato',
  Refunded: 'Rimborsato',
  '{browser} on {system}': '{browser} su {system}',
};
