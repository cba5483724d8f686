// The words of errors, with what to do in German, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'Sie sind nicht mehr angemeldet. Melden Sie sich neu an.',
  'It has been deleted. Choose another one.': 'Das wurde gelöscht. Wählen Sie etwas anderes.',
  'This number is no longer on offer. Search again, and choose another.':
    'Diese Nummer wird nicht mehr angeboten. Suchen Sie neu und wählen Sie eine andere.',
  'You have as many as an account may have. Delete one first.':
    'Mehr davon darf ein Konto nicht haben. Löschen Sie zuerst eines.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Davon läuft gerade zu viel zugleich. Versuchen Sie es gleich noch einmal.',
  'Too many attempts. Try again in some minutes.':
    'Zu viele Versuche. Versuchen Sie es in einigen Minuten noch einmal.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'Anrufe sind gerade nicht möglich. Versuchen Sie es in einigen Sekunden noch einmal. Die Verwaltung sieht die Ursache unter Status.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Alle Leitungen sind belegt. Versuchen Sie es noch einmal, wenn einer der laufenden Anrufe beendet ist.',
  'The service is busy or starting anew. Try again in a moment.':
    'Der Dienst ist ausgelastet oder startet gerade neu. Versuchen Sie es gleich noch einmal.',
  'This link was used or has expired. Have a new one sent.':
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Lassen Sie sich einen neuen senden.',
  'The code is wrong, used or too old. Have a new one sent.':
    'Der Code ist falsch, benutzt oder zu alt. Lassen Sie sich einen neuen senden.',
  'The password is wrong.': 'Das Passwort ist falsch.',
  'The code is wrong. Take the one that the app shows now.':
    'Der Code ist falsch. Nehmen Sie den, den die App jetzt zeigt.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'Der Code ist falsch oder zu alt. Nehmen Sie den, den die App jetzt zeigt, oder melden Sie sich neu an.',
  'The page could not be read. Check its address, or type the facts in.':
    'Die Seite konnte nicht gelesen werden. Prüfen Sie ihre Adresse, oder tragen Sie die Angaben selbst ein.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'Das Dokument konnte nicht gelesen werden. Prüfen Sie, ob es sich öffnen lässt und kein Passwort hat.',
  'Nothing is sent to this address. It must be a public https address.':
    'An diese Adresse wird nichts gesendet. Es muss eine öffentliche https-Adresse sein.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'Die Adresse antwortete nicht, wie sie muss. Prüfen Sie, ob Ihr System läuft und mit 2xx antwortet.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'E-Mail-Adresse oder Passwort ist falsch. Versuchen Sie es noch einmal, oder setzen Sie ein neues Passwort.',
  'The sign-in did not work. Begin it again.': 'Die Anmeldung hat nicht geklappt. Beginnen Sie noch einmal.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'Ihre Rolle erlaubt das nicht. Fragen Sie jemanden, der das Konto verwaltet.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der E-Mail, die Sie bekommen haben.',
  'Passwords are off here. Use the sign-in of your company.':
    'Passwörter sind hier abgeschaltet. Nutzen Sie die Anmeldung Ihrer Firma.',
  'The sign-in was refused.': 'Die Anmeldung wurde abgewiesen.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Neue Konten gibt es hier nur mit Einladung. Bitten Sie den Betreiber darum.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Das gibt es nicht mehr, oder es gehört einem anderen Konto. Gehen Sie zurück zur Liste.',
  'The agent is switched off. Switch it on, or choose another.':
    'Der Agent ist ausgeschaltet. Schalten Sie ihn ein, oder wählen Sie einen anderen.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Eine laufende Kampagne nutzt diesen Agenten. Halten Sie die Kampagne zuerst an.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'Der eingebaute Empfang nimmt keine Anweisungen. Lassen Sie ihn Ihre Worte sagen.',
  'Another appointment is at that time. Choose another time.':
    'Zu dieser Zeit ist schon ein Termin. Wählen Sie eine andere Zeit.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'Der Betreiber hat die Anmeldung bei Google und Microsoft noch nicht eingerichtet.',
  'The call has not ended yet. End it first.': 'Der Anruf ist noch nicht beendet. Beenden Sie ihn zuerst.',
  'The call has ended already.': 'Der Anruf ist schon beendet.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Noch hat niemand abgenommen. Versuchen Sie es noch einmal, wenn abgenommen ist.',
  'Somebody talks to the caller already.': 'Es spricht schon jemand mit dem Anrufer.',
  'The caller was put through to a person already.': 'Der Anrufer ist schon zu einem Menschen verbunden.',
  'An answering machine has taken the call.': 'Ein Anrufbeantworter hat den Anruf angenommen.',
  'The campaign is running. Pause it first.': 'Die Kampagne läuft. Halten Sie sie zuerst an.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'Die Kampagne ist zu Ende und ruft niemanden mehr an. Wählen Sie eine andere.',
  'The campaign has no phone number. Give it one in its settings.':
    'Die Kampagne hat keine Telefonnummer. Geben Sie ihr eine in den Einstellungen.',
  'The campaign is paused. Resume it first.': 'Die Kampagne ist angehalten. Setzen Sie sie zuerst fort.',
  'The campaign has changed meanwhile. Load the page again.':
    'Die Kampagne hat sich inzwischen geändert. Laden Sie die Seite neu.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Es wird schon eine Version erprobt. Veröffentlichen, verwerfen oder beenden Sie sie zuerst.',
  'Numbers of this carrier are in use. Release them first.':
    'Nummern dieses Anbieters sind in Gebrauch. Geben Sie sie zuerst frei.',
  'There is no trunk at this carrier yet. Make it first.':
    'Bei diesem Anbieter gibt es noch keinen Trunk. Legen Sie ihn zuerst an.',
  'The carrier refused it.': 'Der Anbieter hat es abgewiesen.',
  'The carrier does not answer. Try again in a few minutes.':
    'Der Anbieter antwortet nicht. Versuchen Sie es in einigen Minuten noch einmal.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Jemand anderes hat das inzwischen geändert: {fields}. Ihre Eingaben stehen noch hier. Speichern Sie noch einmal, um die fremde Änderung zu ersetzen, oder verwerfen Sie Ihre, um sie zu sehen.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Jemand anderes hat es gleichzeitig geändert. Laden Sie es neu und ändern Sie es dann.',
  'The contact is being called. Wait until the call has ended.':
    'Der Kontakt wird gerade angerufen. Warten Sie, bis der Anruf beendet ist.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Keine Nummer der Kampagne kann Textnachrichten senden. Nummern von Twilio, Telnyx oder Plivo können es.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an, oder setzen Sie ein neues Passwort.',
  'You do not listen to the call any more. Begin to listen again.':
    'Sie hören nicht mehr mit. Beginnen Sie noch einmal mitzuhören.',
  'Nothing waits to be published.': 'Nichts wartet auf Veröffentlichung.',
  'The carrier could not reach this service. The operator sets its address.':
    'Der Anbieter könnte diesen Dienst nicht erreichen. Der Betreiber stellt die Adresse ein.',
  'Nothing can be paid here: no payment provider is set up.':
    'Hier kann nichts bezahlt werden: es ist kein Zahlungsanbieter eingerichtet.',
  'The call is not recorded.': 'Der Anruf wird nicht aufgezeichnet.',
  'The caller is keying in a secret number. Wait until that is done.':
    'Der Anrufer tippt gerade eine geheime Nummer ein. Warten Sie, bis er fertig ist.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Eine andere laufende Kampagne nutzt diese Nummer. Halten Sie jene an, oder wählen Sie eine andere Nummer.',
  'Somebody has this number already.': 'Diese Nummer hat schon jemand.',
  'This number is not paid for. Check your card under Billing.':
    'Diese Nummer ist nicht bezahlt. Prüfen Sie Ihre Karte unter Abrechnung.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Diese Nummer steht auf der Nicht-anrufen-Liste. Nehmen Sie sie nur herunter, wenn die Person Anrufe wünscht.',
  'The payment was declined. Use another card under Billing.':
    'Die Zahlung wurde abgelehnt. Nutzen Sie unter Abrechnung eine andere Karte.',
  'An order for this number is under way already.': 'Für diese Nummer läuft schon ein Auftrag.',
  'This number is being bought already. Wait a moment.': 'Diese Nummer wird gerade gekauft. Warten Sie einen Moment.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Ein früherer Kauf wird gerade abgeschlossen. Versuchen Sie es in einer Minute noch einmal.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'Mehr erlaubt Ihr Tarif nicht. Löschen Sie einige, oder wählen Sie einen größeren Tarif.',
  'Calls are being read again already. Wait until that is done.':
    'Anrufe werden schon neu gelesen. Warten Sie, bis das fertig ist.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'Sie können sich nicht selbst entfernen. Bitten Sie jemand anderen im Team.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'Der Betreiber hat das woanders eingestellt: hier lässt es sich nicht ändern.',
  'Another softphone has this user name. Choose another.':
    'Ein anderes Softphone hat diesen Benutzernamen. Wählen Sie einen anderen.',
  'You could not be called. Check the number, then try again.':
    'Sie konnten nicht angerufen werden. Prüfen Sie die Nummer und versuchen Sie es noch einmal.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'Nicht alle nötigen Tests sind bestanden. Öffnen Sie deren letzten Lauf und beheben Sie, was scheiterte.',
  'Tests are running already. Wait until they are done.': 'Es laufen schon Tests. Warten Sie, bis sie fertig sind.',
  'The suite has no case yet. Add one first.': 'Die Testreihe hat noch keinen Fall. Fügen Sie zuerst einen hinzu.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Ein Agent, ein Betrieb oder eine Kampagne nutzt dieses Werkzeug. Nehmen Sie es dort zuerst heraus.',
  'Another tool has this name. Choose another.': 'Ein anderes Werkzeug hat diesen Namen. Wählen Sie einen anderen.',
  'The caller is being put through already.': 'Der Anrufer wird schon verbunden.',
  'The file is too large. Split it, or make it smaller.': 'Die Datei ist zu groß. Teilen oder verkleinern Sie sie.',
  'This number may not be called from here. An administrator can allow its country.':
    'Diese Nummer darf von hier nicht angerufen werden. Die Verwaltung kann ihr Land freigeben.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Zu viele falsche Passwörter. Warten Sie einige Minuten, oder setzen Sie ein neues Passwort.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'Ihre Grenze an Textnachrichten oder Ausgaben ist erreicht. Es wurde nichts gesendet.',
  'As many people listen as may. Try again when one has stopped.':
    'Mehr Personen dürfen nicht mithören. Versuchen Sie es noch einmal, wenn jemand aufgehört hat.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'Die Minuten Ihres Tarifs sind verbraucht. Unter Abrechnung steht, wann sie neu beginnen.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Dieser Empfänger bekam in dieser Stunde zehn Mitteilungen. Versuchen Sie es später noch einmal.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'Die ausgehenden Minuten dieser Stunde oder dieses Tages sind verbraucht. Die Verwaltung kann mehr erlauben.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Im Dienst ging etwas schief. Versuchen Sie es noch einmal; bleibt es so, nennen Sie dem Betreiber die Nummer darunter.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Aufnahmen und Dokumente sind gerade nicht erreichbar. Versuchen Sie es in einigen Minuten noch einmal.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'Die Anmeldung Ihrer Firma antwortet nicht. Versuchen Sie es in einigen Minuten noch einmal.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'Das Sprachmodell gab keine brauchbare Antwort. Versuchen Sie es noch einmal. Die Verwaltung testet es unter Modelle.',
  'The test took too long. Try again.': 'Der Test dauerte zu lange. Versuchen Sie es noch einmal.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'Es gibt keinen Trunk zum Anrufen. Die Verwaltung legt einen unter Trunks an.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'Der Telefonanbieter antwortet nicht. Die Verwaltung sieht die Ursache unter Trunks.',
  'The payment could not be made now. Try again in a few minutes.':
    'Die Zahlung war gerade nicht möglich. Versuchen Sie es in einigen Minuten noch einmal.',
  'The voice could not be played. Try again in a moment.':
    'Die Stimme ließ sich nicht abspielen. Versuchen Sie es gleich noch einmal.',
  'This is not there any more: choose another one.': 'Das gibt es nicht mehr: wählen Sie etwas anderes.',
  'Please fill this in.': 'Bitte ausfüllen.',
  'Write a whole address, which begins with https://': 'Schreiben Sie die ganze Adresse, mit https:// am Anfang.',
  'Write a whole e-mail address.': 'Schreiben Sie die ganze E-Mail-Adresse.',
  'Choose a date and a time.': 'Wählen Sie Tag und Uhrzeit.',
  'Choose a date.': 'Wählen Sie einen Tag.',
  'Choose a time zone of the list.': 'Wählen Sie eine Zeitzone aus der Liste.',
  'Choose a time that is still to come.': 'Wählen Sie eine Zeit, die noch kommt.',
  'Choose a time that has passed.': 'Wählen Sie eine vergangene Zeit.',
  'Choose two different times.': 'Wählen Sie zwei verschiedene Zeiten.',
  'Three letters, as EUR, USD or GBP.': 'Drei Buchstaben, wie EUR, CHF oder USD.',
  'At most two decimals.': 'Höchstens zwei Nachkommastellen.',
  'This is not right yet.': 'Das stimmt noch nicht.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Schreiben Sie die Nummer mit Ländervorwahl, wie +49 30 5550 1770.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Anrufe bei dieser Nummer sind hier nicht erlaubt. Die Verwaltung kann ihr Land freigeben.',
  'At least {number} characters.': 'Mindestens {number} Zeichen.',
  'At most {number} characters.': 'Höchstens {number} Zeichen.',
  'At least {number} of them.': 'Mindestens {number} davon.',
  'At most {number} of them.': 'Höchstens {number} davon.',
  '{number} or more.': '{number} oder mehr.',
  '{number} or less.': '{number} oder weniger.',
  'More than {number}.': 'Mehr als {number}.',
  'Less than {number}.': 'Weniger als {number}.',
  'There is no softphone of this name.': 'Ein Softphone mit diesem Namen gibt es nicht.',
};
