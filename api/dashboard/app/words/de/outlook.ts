// The words of ends of calls, with what to do in German, by their English ones.
export default {
  'an appointment': 'ein Termin',
  'the way to you': 'der Weg zu Ihnen',
  'a complaint': 'eine Beschwerde',
  'appointment booked': 'Termin gebucht',
  'appointment moved': 'Termin verschoben',
  'appointment cancelled': 'Termin abgesagt',
  'appointment confirmed': 'Termin bestätigt',
  'call back scheduled': 'Rückruf geplant',
  'call back wanted': 'Rückruf gewünscht',
  'put through': 'verbunden',
  'no more calls wanted': 'will keine Anrufe mehr',
  'the agent failed': 'der Agent konnte nicht antworten',
  'A machine answered; a message was left.': 'Ein Anrufbeantworter nahm ab; eine Nachricht wurde hinterlassen.',
  'A machine answered.': 'Ein Anrufbeantworter nahm ab.',
  'The caller said nothing.': 'Der Anrufer sagte nichts.',
  'The caller spoke once.': 'Der Anrufer sprach einmal.',
  'The agent failed, and the caller was left without an answer.':
    'Der Agent konnte nicht antworten, und der Anrufer blieb ohne Antwort.',
  'The caller was put through to a person.': 'Der Anrufer wurde zu einem Menschen verbunden.',
  'The caller asked to be called back.': 'Der Anrufer bat um Rückruf.',
  'The person asked not to be called again.': 'Die Person will nicht mehr angerufen werden.',
  'The call was cut off by a fault of the service.': 'Der Anruf brach durch einen Fehler des Dienstes ab.',
  'Inbound call of {duration}.': 'Eingehender Anruf, {duration}.',
  'Outbound call of {duration}.': 'Ausgehender Anruf, {duration}.',
  'It was about: {topics}.': 'Es ging um: {topics}.',
  'The caller spoke {count} times.': 'Der Anrufer sprach {count}-mal.',
  'Booked: {service}, {time}.': 'Gebucht: {service}, {time}.',
  'The call was not answered: {outcome}.': 'Der Anruf wurde nicht angenommen: {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Die Verwaltung prüft Benutzername und Passwort des Trunks, unter Trunks.',
  'Check the number: is it complete, with its country code?':
    'Prüfen Sie die Nummer: ist sie vollständig, mit Ländervorwahl?',
  'Try again later.': 'Versuchen Sie es später noch einmal.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'Der Fehler liegt beim Telefonanbieter. Versuchen Sie es in einigen Minuten noch einmal, fragen Sie dann den Anbieter.',
  'The person does not want the call now. Do not try again soon.':
    'Die Person möchte den Anruf jetzt nicht. Versuchen Sie es nicht gleich wieder.',
  'Ask the telephone provider: the credit may be used up.':
    'Fragen Sie den Telefonanbieter: vielleicht ist das Guthaben verbraucht.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Fragen Sie den Telefonanbieter, ob er Anrufe bei dieser Nummer erlaubt, und mit Ihrer Nummer als Absender.',
  'The number is not in use any more. Take it out of your contacts.':
    'Die Nummer gibt es nicht mehr. Nehmen Sie sie aus Ihren Kontakten.',
  'An administrator adds a codec to the trunk, under Trunks.':
    'Die Verwaltung fügt dem Trunk ein Tonformat hinzu, unter Trunks.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Ein Filter hielt den Anruf für Spam. Bitten Sie den Telefonanbieter, für Ihre Nummer zu bürgen.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Die Verwaltung prüft, ob die Firewall den Ton durchlässt (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Versuchen Sie es noch einmal. Bleibt es so, sieht die Verwaltung unter Status nach.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Die Verwaltung testet Sprachmodell, Spracherkennung und Stimme, unter Modelle.',
  'Allow the microphone for this page in the browser, then try again.':
    'Erlauben Sie dieser Seite im Browser das Mikrofon und versuchen Sie es noch einmal.',
  'An administrator looks at Status: no call was taken for a while.':
    'Die Verwaltung sieht unter Status nach: eine Weile wurde kein Anruf angenommen.',
  'Call again. The service has started anew by itself.':
    'Rufen Sie noch einmal an. Der Dienst ist von selbst neu gestartet.',
  'Call again once the service runs.': 'Rufen Sie noch einmal an, wenn der Dienst läuft.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Versuchen Sie es noch einmal. Bleibt es so, sieht die Verwaltung nach dem Trunk, unter Trunks.',
  'Ask the telephone provider why it refuses the call.': 'Fragen Sie den Telefonanbieter, warum er den Anruf abweist.',
  'An administrator adds a trunk, under Trunks.': 'Die Verwaltung legt einen Trunk an, unter Trunks.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Versuchen Sie es noch einmal, wenn ein Anruf beendet ist, oder lassen Sie den Betreiber mehr zugleich erlauben.',
  'Resume the campaign, then call again.': 'Setzen Sie die Kampagne fort und rufen Sie dann noch einmal an.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Nehmen Sie die Nummer nur von der Nicht-anrufen-Liste, wenn die Person Anrufe wünscht.',
  'What to do': 'Was zu tun ist',
  'The telephone provider did not put the call through': 'Der Telefonanbieter hat den Anruf nicht verbunden',
  'The call does not say it.': 'Der Anruf sagt es nicht.',
  'Without a language model this is not known.': 'Ohne Sprachmodell ist das nicht bekannt.',
};
