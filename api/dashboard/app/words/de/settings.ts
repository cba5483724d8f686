// The words of settings and billing in German, by their English ones.
export default {
  'Shown in the mails that invite people': 'Steht in den Einladungsmails',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'Ihre Monatsminuten werden darin gezählt. Betriebe und Kampagnen haben ihre eigene.',
  'Default campaign': 'Standardkampagne',
  'It answers calls to numbers that serve no campaign': 'Sie nimmt Anrufe an Nummern an, die keiner Kampagne dienen',
  'None: such calls are refused': 'Keine: solche Anrufe werden abgewiesen',
  'Keep calls for … days': 'Anrufe … Tage aufbewahren',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'Ab der nächsten Nacht werden ältere Anrufe gelöscht, mit Aufnahme und Mitschrift. Das lässt sich nicht rückgängig machen.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'Ältere Anrufe werden jede Nacht gelöscht, mit Aufnahme und Mitschrift. Leer: sie bleiben.',
  Plan: 'Tarif',
  Account: 'Konto',
  'Your password is changed. All other sessions have ended.':
    'Ihr Passwort ist geändert. Alle anderen Sitzungen sind beendet.',
  'Change the password': 'Passwort ändern',
  'Forgot the old one?': 'Das alte vergessen?',
  'Old password': 'Altes Passwort',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 Zeichen oder mehr. Alle anderen Sitzungen enden; API-Schlüssel bleiben.',
  'Your recovery codes': 'Ihre Wiederherstellungscodes',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Jeder meldet Sie einmal an, falls Ihr Telefon verloren geht. Sie werden nur dieses eine Mal gezeigt: bewahren Sie sie sicher auf.',
  'Recovery codes': 'Wiederherstellungscodes',
  'I have saved them': 'Ich habe sie gespeichert',
  'Two-factor sign-in is off': 'Anmeldung mit zweitem Faktor ist aus',
  On: 'Ein',
  'Two-factor sign-in': 'Anmeldung mit zweitem Faktor',
  'Signing in takes the password and a code of your authenticator app.':
    'Die Anmeldung braucht das Passwort und einen Code Ihrer Authenticator-App.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'Neben dem Passwort ein Code einer Authenticator-App auf Ihrem Telefon: ein durchgesickertes Passwort genügt dann nicht.',
  'Switch it off': 'Ausschalten',
  'Set it up': 'Einrichten',
  'Switch it on': 'Einschalten',
  'Scan this with your authenticator app, or type the secret into it.':
    'Scannen Sie dies mit Ihrer Authenticator-App, oder tippen Sie das Geheimnis ein.',
  'QR code of the secret below': 'QR-Code des Geheimnisses darunter',
  'Six digits that the app shows now': 'Sechs Ziffern, die die App jetzt zeigt',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'Dann genügt das Passwort zur Anmeldung. Die Wiederherstellungscodes gelten nicht mehr.',
  'From the app, or a recovery code': 'Aus der App, oder ein Wiederherstellungscode',
  'Ended the session': 'Sitzung beendet',
  'End all other sessions?': 'Alle anderen Sitzungen beenden?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Jeder andere Browser und jedes Programm, das als Sie angemeldet ist, muss sich neu anmelden. API-Schlüssel bleiben.',
  'End all others': 'Alle anderen beenden',
  'Ended one session': 'Eine Sitzung beendet',
  'Ended {count} sessions': '{count} Sitzungen beendet',
  Sessions: 'Sitzungen',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Wo Sie angemeldet sind. Eine Sitzung, die eine Woche ungenutzt ist, endet von selbst.',
  Device: 'Gerät',
  'This one': 'Dieses',
  'Signed in': 'Angemeldet',
  'Identity provider': 'Identitätsanbieter',
  'Last used': 'Zuletzt genutzt',
  'End this session': 'Diese Sitzung beenden',
  'End this session: {device}, {address}': 'Diese Sitzung beenden: {device}, {address}',
  'unknown address': 'unbekannte Adresse',
  Team: 'Team',
  Security: 'Sicherheit',
  'A mail with the link is on its way to {email}': 'Eine Mail mit dem Link ist unterwegs an {email}',
  'Remove {email}?': '{email} entfernen?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'Die Sitzungen und API-Schlüssel enden sofort. Was eingerichtet wurde, bleibt.',
  '{email} is removed': '{email} ist entfernt',
  Invite: 'Einladen',
  'Send the invitation': 'Einladung senden',
  'No mail server is set: send this link to {email} yourself':
    'Kein Mailserver ist eingestellt: senden Sie diesen Link selbst an {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Er setzt das Passwort und gilt 7 Tage. Mit SMTP_URL sendet ihn der Dienst.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Ein Link setzt das Passwort; er gilt 7 Tage, ein neuer beendet den vorigen. Alle im Konto sehen dieselben Daten und können andere einladen und entfernen.',
  '(you)': '(Sie)',
  Role: 'Rolle',
  Viewer: 'Betrachter',
  Operator: 'Bearbeiter',
  Member: 'Mitglied',
  Admin: 'Verwalter',
  Invited: 'Eingeladen',
  'Two-factor': 'Zweiter Faktor',
  'New link for {email}': 'Neuer Link für {email}',
  'New link': 'Neuer Link',
  'Remove {email}': '{email} entfernen',
  'Costs of the calls': 'Kosten der Anrufe',
  'Minutes of this month': 'Minuten dieses Monats',
  'Minutes used': 'Verbrauchte Minuten',
  'minutes used, without a limit': 'Minuten verbraucht, ohne Grenze',
  'of {limit} minutes used': 'von {limit} Minuten verbraucht',
  'Counted from zero again on {time}.': 'Gezählt wird von null wieder ab {time}.',
  'Minutes beyond the plan cost $0.05 each.': 'Minuten über den Tarif hinaus kosten je $0,05.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'Die Minuten sind verbraucht: ausgehende Anrufe werden abgewiesen, eingehende angenommen.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Sind sie verbraucht, werden ausgehende Anrufe abgewiesen; eingehende werden immer angenommen.',
  Payment: 'Zahlung',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'Auf dieser Installation wird nichts berechnet. Was Nummern und Minuten kosten würden, wird unten nur vermerkt.',
  Card: 'Karte',
  '{brand} ending in {digits}': '{brand} mit Endziffern {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Noch keine Karte: kostenpflichtige Nummern können nicht gekauft werden.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Karten werden auf einer Seite von Stripe hinzugefügt; die zuletzt hinzugefügte wird belastet.',
  'Use another card': 'Andere Karte nutzen',
  'Add a card': 'Karte hinzufügen',
  Charges: 'Kosten',
  'No charges': 'Keine Kosten',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Nummern mit Monatspreis und Minuten über den Tarif hinaus stehen hier.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'Nummern werden je Kalendermonat berechnet, Minuten über den Tarif hinaus am Monatsende.',
  Date: 'Datum',
  For: 'Für',
  'Number {phoneNumber}': 'Nummer {phoneNumber}',
  'Minutes beyond the plan': 'Minuten über den Tarif hinaus',
  Recorded: 'Vermerkt',
  Paid: 'Bezahlt',
  Refunded: 'Erstattet',
  '{browser} on {system}': '{browser} unter {system}',
};
