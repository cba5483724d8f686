// The words of errors, with what to do in Dutch, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'U bent niet meer aangemeld. Meld u opnieuw aan.',
  'It has been deleted. Choose another one.': 'Het is verwijderd. Kies iets anders.',
  'This number is no longer on offer. Search again, and choose another.':
    'Dit nummer wordt niet meer aangeboden. Zoek opnieuw en kies een ander.',
  'You have as many as an account may have. Delete one first.':
    'U hebt er zoveel als een account mag hebben. Verwijder er eerst een.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Hiervan gebeurt nu te veel tegelijk. Probeer het zo weer.',
  'Too many attempts. Try again in some minutes.': 'Te veel pogingen. Probeer het over enkele minuten opnieuw.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'Bellen kan nu niet. Probeer het over enkele seconden opnieuw. Beheerders zien de oorzaak onder Status.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Alle lijnen zijn bezet. Probeer het opnieuw als een gesprek is afgelopen.',
  'The service is busy or starting anew. Try again in a moment.':
    'De dienst is bezig of start opnieuw. Probeer het zo weer.',
  'This link was used or has expired. Have a new one sent.':
    'Deze link is gebruikt of verlopen. Laat een nieuwe sturen.',
  'The code is wrong, used or too old. Have a new one sent.':
    'De code is fout, gebruikt of te oud. Laat een nieuwe sturen.',
  'The password is wrong.': 'Het wachtwoord is onjuist.',
  'The code is wrong. Take the one that the app shows now.': 'De code is fout. Neem die de app nu toont.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'De code is fout of te oud. Neem die de app nu toont, of meld u opnieuw aan.',
  'The page could not be read. Check its address, or type the facts in.':
    'De pagina kon niet worden gelezen. Controleer het adres, of vul de gegevens in.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'Het document kon niet worden gelezen. Controleer of het opent en geen wachtwoord heeft.',
  'Nothing is sent to this address. It must be a public https address.':
    'Naar dit adres wordt niets gestuurd. Het moet een openbaar https-adres zijn.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'Het adres antwoordde niet zoals het moet. Controleer of uw systeem draait en 2xx antwoordt.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'E-mailadres of wachtwoord is onjuist. Probeer het opnieuw, of stel een nieuw wachtwoord in.',
  'The sign-in did not work. Begin it again.': 'Het aanmelden lukte niet. Begin opnieuw.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'Uw rol staat dit niet toe. Vraag het iemand die het account beheert.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'Uw e-mailadres is nog niet bevestigd. Open de link in de e-mail die u kreeg.',
  'Passwords are off here. Use the sign-in of your company.':
    'Wachtwoorden staan hier uit. Gebruik de aanmelding van uw bedrijf.',
  'The sign-in was refused.': 'De aanmelding is geweigerd.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Nieuwe accounts gaan hier op uitnodiging. Vraag er een aan de beheerder.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Het is er niet meer, of is van een ander account. Ga terug naar de lijst.',
  'The agent is switched off. Switch it on, or choose another.': 'De agent staat uit. Zet hem aan, of kies een andere.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Een lopende campagne gebruikt deze agent. Pauzeer die eerst.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'De ingebouwde receptie neemt geen instructies aan. Laat haar uw woorden zeggen.',
  'Another appointment is at that time. Choose another time.':
    'Op dat moment is al een afspraak. Kies een andere tijd.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'De beheerder heeft aanmelden bij Google en Microsoft nog niet ingesteld.',
  'The call has not ended yet. End it first.': 'Het gesprek is nog niet afgelopen. Beëindig het eerst.',
  'The call has ended already.': 'Het gesprek is al afgelopen.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Er heeft nog niemand opgenomen. Probeer het opnieuw als er is opgenomen.',
  'Somebody talks to the caller already.': 'Er praat al iemand met de beller.',
  'The caller was put through to a person already.': 'De beller is al met een mens doorverbonden.',
  'An answering machine has taken the call.': 'Een antwoordapparaat heeft opgenomen.',
  'The campaign is running. Pause it first.': 'De campagne loopt. Pauzeer haar eerst.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'De campagne is afgelopen en belt niemand meer. Kies een andere.',
  'The campaign has no phone number. Give it one in its settings.':
    'De campagne heeft geen nummer. Geef haar er een in de instellingen.',
  'The campaign is paused. Resume it first.': 'De campagne is gepauzeerd. Hervat haar eerst.',
  'The campaign has changed meanwhile. Load the page again.':
    'De campagne is intussen gewijzigd. Laad de pagina opnieuw.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Er wordt al een versie geprobeerd. Publiceer, verwerp of stop die eerst.',
  'Numbers of this carrier are in use. Release them first.':
    'Nummers van deze provider zijn in gebruik. Geef ze eerst vrij.',
  'There is no trunk at this carrier yet. Make it first.': 'Er is nog geen trunk bij deze provider. Maak hem eerst.',
  'The carrier refused it.': 'De provider weigerde het.',
  'The carrier does not answer. Try again in a few minutes.':
    'De provider antwoordt niet. Probeer het over enkele minuten opnieuw.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Iemand anders heeft dit intussen gewijzigd: {fields}. Wat u hebt getypt, staat hier nog. Sla nogmaals op om die wijziging te vervangen, of verwerp de uwe om haar te zien.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Iemand anders wijzigde het tegelijk. Laad het opnieuw en wijzig het dan.',
  'The contact is being called. Wait until the call has ended.':
    'Het contact wordt nu gebeld. Wacht tot het gesprek is afgelopen.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Geen nummer van de campagne kan berichten sturen. Nummers van Twilio, Telnyx of Plivo kunnen dat.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'Er is al een account met dit e-mailadres. Meld u aan, of stel een nieuw wachtwoord in.',
  'You do not listen to the call any more. Begin to listen again.':
    'U luistert niet meer mee. Begin opnieuw met meeluisteren.',
  'Nothing waits to be published.': 'Er wacht niets op publicatie.',
  'The carrier could not reach this service. The operator sets its address.':
    'De provider kan deze dienst niet bereiken. De beheerder stelt het adres in.',
  'Nothing can be paid here: no payment provider is set up.':
    'Hier kan niets worden betaald: er is geen betaaldienst ingesteld.',
  'The call is not recorded.': 'Het gesprek wordt niet opgenomen.',
  'The caller is keying in a secret number. Wait until that is done.':
    'De beller toetst een geheim nummer in. Wacht tot dat klaar is.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Een andere lopende campagne gebruikt dit nummer. Pauzeer die, of kies een ander nummer.',
  'Somebody has this number already.': 'Iemand heeft dit nummer al.',
  'This number is not paid for. Check your card under Billing.':
    'Dit nummer is niet betaald. Controleer uw kaart onder Facturering.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Dit nummer staat op de niet-bellen-lijst. Haal het er alleen af als de persoon gebeld wil worden.',
  'The payment was declined. Use another card under Billing.':
    'De betaling is geweigerd. Gebruik een andere kaart onder Facturering.',
  'An order for this number is under way already.': 'Voor dit nummer loopt al een opdracht.',
  'This number is being bought already. Wait a moment.': 'Dit nummer wordt al gekocht. Wacht even.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Een eerdere aankoop wordt afgerond. Probeer het over een minuut opnieuw.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'U hebt er zoveel als uw abonnement toestaat. Verwijder er, of kies een groter abonnement.',
  'Calls are being read again already. Wait until that is done.':
    'Gesprekken worden al opnieuw gelezen. Wacht tot dat klaar is.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'U kunt uzelf niet verwijderen. Vraag iemand anders in uw team.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'De beheerder heeft dit elders ingesteld: hier kan het niet.',
  'Another softphone has this user name. Choose another.':
    'Een andere softphone heeft deze gebruikersnaam. Kies een andere.',
  'You could not be called. Check the number, then try again.':
    'U kon niet worden gebeld. Controleer het nummer en probeer het opnieuw.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'Niet alle vereiste tests zijn geslaagd. Open de laatste run en herstel wat mislukte.',
  'Tests are running already. Wait until they are done.': 'Er lopen al tests. Wacht tot ze klaar zijn.',
  'The suite has no case yet. Add one first.': 'De reeks heeft nog geen geval. Voeg er eerst een toe.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Een agent, bedrijf of campagne gebruikt dit hulpmiddel. Haal het daar eerst weg.',
  'Another tool has this name. Choose another.': 'Een ander hulpmiddel heeft deze naam. Kies een andere.',
  'The caller is being put through already.': 'De beller wordt al doorverbonden.',
  'The file is too large. Split it, or make it smaller.': 'Het bestand is te groot. Splits het of maak het kleiner.',
  'This number may not be called from here. An administrator can allow its country.':
    'Dit nummer mag hiervandaan niet worden gebeld. Een beheerder kan het land toestaan.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Te veel foute wachtwoorden. Wacht enkele minuten, of stel een nieuw in.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'Uw limiet voor berichten of uitgaven is bereikt. Er is niets verstuurd.',
  'As many people listen as may. Try again when one has stopped.':
    'Meer mensen mogen niet meeluisteren. Probeer het opnieuw als iemand stopt.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'De minuten van uw abonnement zijn op. Facturering toont wanneer ze opnieuw beginnen.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Deze ontvanger kreeg tien berichten binnen het uur. Probeer het later opnieuw.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'De uitgaande minuten van dit uur of deze dag zijn op. Een beheerder kan meer toestaan.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Er ging iets mis in de dienst. Probeer het opnieuw; blijft het zo, geef de beheerder dan het nummer hieronder.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Opnames en documenten zijn nu niet bereikbaar. Probeer het over enkele minuten opnieuw.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'De aanmelding van uw bedrijf antwoordt niet. Probeer het over enkele minuten opnieuw.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'Het taalmodel gaf geen bruikbaar antwoord. Probeer het opnieuw. Beheerders testen het onder Modellen.',
  'The test took too long. Try again.': 'De test duurde te lang. Probeer het opnieuw.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'Er is geen trunk om over te bellen. Een beheerder voegt er een toe onder Trunks.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'De telefoonprovider antwoordt niet. Beheerders zien de oorzaak onder Trunks.',
  'The payment could not be made now. Try again in a few minutes.':
    'De betaling lukte nu niet. Probeer het over enkele minuten opnieuw.',
  'The voice could not be played. Try again in a moment.': 'De stem kon niet worden afgespeeld. Probeer het zo weer.',
  'This is not there any more: choose another one.': 'Dit is er niet meer: kies iets anders.',
  'Please fill this in.': 'Vul dit in.',
  'Write a whole address, which begins with https://': 'Schrijf het hele adres, met https:// ervoor.',
  'Write a whole e-mail address.': 'Schrijf het hele e-mailadres.',
  'Choose a date and a time.': 'Kies een datum en een tijd.',
  'Choose a date.': 'Kies een datum.',
  'Choose a time zone of the list.': 'Kies een tijdzone uit de lijst.',
  'Choose a time that is still to come.': 'Kies een tijd die nog moet komen.',
  'Choose a time that has passed.': 'Kies een tijd in het verleden.',
  'Choose two different times.': 'Kies twee verschillende tijden.',
  'Three letters, as EUR, USD or GBP.': 'Drie letters, zoals EUR, USD of GBP.',
  'At most two decimals.': 'Hoogstens twee decimalen.',
  'This is not right yet.': 'Dit klopt nog niet.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Schrijf het nummer met landcode, zoals +31 20 123 4567.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Bellen naar dit nummer is hier niet toegestaan. Een beheerder kan het land toestaan.',
  'At least {number} characters.': 'Minstens {number} tekens.',
  'At most {number} characters.': 'Hoogstens {number} tekens.',
  'At least {number} of them.': 'Minstens {number}.',
  'At most {number} of them.': 'Hoogstens {number}.',
  '{number} or more.': '{number} of meer.',
  '{number} or less.': '{number} of minder.',
  'More than {number}.': 'Meer dan {number}.',
  'Less than {number}.': 'Minder dan {number}.',
  'There is no softphone of this name.': 'Er is geen softphone met deze naam.',
};
