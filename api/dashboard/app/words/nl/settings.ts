// The words of settings and billing in Dutch, by their English ones.
export default {
  'Shown in the mails that invite people': 'Staat in de uitnodigingsmails',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'Uw maandminuten worden daarin geteld. Bedrijven en campagnes hebben hun eigen.',
  'Default campaign': 'Standaardcampagne',
  'It answers calls to numbers that serve no campaign': 'Zij neemt gesprekken aan op nummers zonder campagne',
  'None: such calls are refused': 'Geen: zulke gesprekken worden geweigerd',
  'Keep calls for … days': 'Gesprekken … dagen bewaren',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'Vanaf de volgende nacht worden oudere gesprekken gewist, met opname en transcript. Dit kan niet ongedaan worden gemaakt.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'Oudere gesprekken worden elke nacht gewist, met opname en transcript. Leeg: ze blijven.',
  Plan: 'Abonnement',
  Account: 'Account',
  'Your password is changed. All other sessions have ended.':
    'Uw wachtwoord is gewijzigd. Alle andere sessies zijn beëindigd.',
  'Change the password': 'Wachtwoord wijzigen',
  'Forgot the old one?': 'Het oude vergeten?',
  'Old password': 'Oud wachtwoord',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 tekens of meer. Alle andere sessies eindigen; API-sleutels blijven.',
  'Your recovery codes': 'Uw herstelcodes',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Elk meldt u één keer aan als uw telefoon kwijt is. Ze worden alleen nu getoond: bewaar ze veilig.',
  'Recovery codes': 'Herstelcodes',
  'I have saved them': 'Ik heb ze bewaard',
  'Two-factor sign-in is off': 'Aanmelden met tweede factor is uit',
  On: 'Aan',
  'Two-factor sign-in': 'Aanmelden met tweede factor',
  'Signing in takes the password and a code of your authenticator app.':
    'Aanmelden vraagt het wachtwoord en een code van uw authenticator-app.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'Naast het wachtwoord een code van een app op uw telefoon: een gelekt wachtwoord is dan niet genoeg.',
  'Switch it off': 'Uitschakelen',
  'Set it up': 'Instellen',
  'Switch it on': 'Inschakelen',
  'Scan this with your authenticator app, or type the secret into it.':
    'Scan dit met uw authenticator-app, of typ het geheim in.',
  'QR code of the secret below': 'QR-code van het geheim hieronder',
  'Six digits that the app shows now': 'Zes cijfers die de app nu toont',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'Dan is het wachtwoord genoeg. De herstelcodes werken niet meer.',
  'From the app, or a recovery code': 'Uit de app, of een herstelcode',
  'Ended the session': 'Sessie beëindigd',
  'End all other sessions?': 'Alle andere sessies beëindigen?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Elke andere browser en elk programma dat als u is aangemeld, moet zich opnieuw aanmelden. API-sleutels blijven.',
  'End all others': 'Alle andere beëindigen',
  'Ended one session': 'Eén sessie beëindigd',
  'Ended {count} sessions': '{count} sessies beëindigd',
  Sessions: 'Sessies',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Waar u bent aangemeld. Een sessie die een week niet is gebruikt, eindigt vanzelf.',
  Device: 'Apparaat',
  'This one': 'Dit',
  'Signed in': 'Aangemeld',
  'Identity provider': 'Identiteitsprovider',
  'Last used': 'Laatst gebruikt',
  'End this session': 'Deze sessie beëindigen',
  'End this session: {device}, {address}': 'Deze sessie beëindigen: {device}, {address}',
  'unknown address': 'onbekend adres',
  Team: 'Team',
  Security: 'Beveiliging',
  'A mail with the link is on its way to {email}': 'Een mail met de link is onderweg naar {email}',
  'Remove {email}?': '{email} verwijderen?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'De sessies en API-sleutels eindigen meteen. Wat is ingesteld, blijft.',
  '{email} is removed': '{email} is verwijderd',
  Invite: 'Uitnodigen',
  'Send the invitation': 'Uitnodiging sturen',
  'No mail server is set: send this link to {email} yourself':
    'Er is geen mailserver ingesteld: stuur deze link zelf naar {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Hij stelt het wachtwoord in en geldt 7 dagen. Met SMTP_URL stuurt de dienst hem.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Een link stelt het wachtwoord in; hij geldt 7 dagen, en een nieuwe beëindigt de vorige. Iedereen in het account ziet dezelfde gegevens en kan anderen uitnodigen en verwijderen.',
  '(you)': '(u)',
  Role: 'Rol',
  Viewer: 'Kijker',
  Operator: 'Bewerker',
  Member: 'Lid',
  Admin: 'Beheerder',
  Invited: 'Uitgenodigd',
  'Two-factor': 'Tweede factor',
  'New link for {email}': 'Nieuwe link voor {email}',
  'New link': 'Nieuwe link',
  'Remove {email}': '{email} verwijderen',
  'Costs of the calls': 'Kosten van de gesprekken',
  'Minutes of this month': 'Minuten van deze maand',
  'Minutes used': 'Gebruikte minuten',
  'minutes used, without a limit': 'minuten gebruikt, zonder limiet',
  'of {limit} minutes used': 'van {limit} minuten gebruikt',
  'Counted from zero again on {time}.': 'Vanaf {time} wordt weer vanaf nul geteld.',
  'Minutes beyond the plan cost $0.05 each.': 'Minuten boven het abonnement kosten elk $0,05.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'De minuten zijn op: uitgaande gesprekken worden geweigerd, inkomende aangenomen.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Als ze op zijn, worden uitgaande gesprekken geweigerd; inkomende worden altijd aangenomen.',
  Payment: 'Betaling',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'Op deze installatie wordt niets berekend. Wat nummers en minuten zouden kosten, wordt hieronder alleen genoteerd.',
  Card: 'Kaart',
  '{brand} ending in {digits}': '{brand} eindigend op {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Nog geen kaart: nummers die iets kosten kunnen niet worden gekocht.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Kaarten worden op een pagina van Stripe toegevoegd; de laatst toegevoegde wordt belast.',
  'Use another card': 'Een andere kaart gebruiken',
  'Add a card': 'Een kaart toevoegen',
  Charges: 'Kosten',
  'No charges': 'Geen kosten',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Nummers met een maandprijs en minuten boven het abonnement staan hier.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'Nummers worden per kalendermaand berekend, minuten boven het abonnement na afloop van de maand.',
  Date: 'Datum',
  For: 'Voor',
  'Number {phoneNumber}': 'Nummer {phoneNumber}',
  'Minutes beyond the plan': 'Minuten boven het abonnement',
  Recorded: 'Genoteerd',
  Paid: 'Betaald',
  Refunded: 'Terugbetaald',
  '{browser} on {system}': '{browser} op {system}',
};
