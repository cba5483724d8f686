// The words of ends of calls, with what to do in Dutch, by their English ones.
export default {
  'an appointment': 'een afspraak',
  'the way to you': 'de weg naar u',
  'a complaint': 'een klacht',
  'appointment booked': 'afspraak gemaakt',
  'appointment moved': 'afspraak verzet',
  'appointment cancelled': 'afspraak afgezegd',
  'appointment confirmed': 'afspraak bevestigd',
  'call back scheduled': 'terugbelafspraak gepland',
  'call back wanted': 'wil teruggebeld worden',
  'put through': 'doorverbonden',
  'no more calls wanted': 'wil niet meer gebeld worden',
  'the agent failed': 'de agent faalde',
  'A machine answered; a message was left.': 'Een antwoordapparaat nam op; er is een bericht ingesproken.',
  'A machine answered.': 'Een antwoordapparaat nam op.',
  'The caller said nothing.': 'De beller zei niets.',
  'The caller spoke once.': 'De beller sprak één keer.',
  'The agent failed, and the caller was left without an answer.':
    'De agent faalde, en de beller bleef zonder antwoord.',
  'The caller was put through to a person.': 'De beller is met een mens doorverbonden.',
  'The caller asked to be called back.': 'De beller vroeg om teruggebeld te worden.',
  'The person asked not to be called again.': 'De persoon wil niet meer gebeld worden.',
  'The call was cut off by a fault of the service.': 'Het gesprek werd afgebroken door een storing van de dienst.',
  'Inbound call of {duration}.': 'Inkomend gesprek van {duration}.',
  'Outbound call of {duration}.': 'Uitgaand gesprek van {duration}.',
  'It was about: {topics}.': 'Het ging over: {topics}.',
  'The caller spoke {count} times.': 'De beller sprak {count} keer.',
  'Booked: {service}, {time}.': 'Geboekt: {service}, {time}.',
  'The call was not answered: {outcome}.': 'Het gesprek is niet opgenomen: {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Een beheerder controleert gebruikersnaam en wachtwoord van de trunk, onder Trunks.',
  'Check the number: is it complete, with its country code?': 'Controleer het nummer: is het volledig, met landcode?',
  'Try again later.': 'Probeer het later opnieuw.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'De fout ligt bij de telefoonprovider. Probeer het over enkele minuten opnieuw, vraag het dan de provider.',
  'The person does not want the call now. Do not try again soon.':
    'De persoon wil het gesprek nu niet. Probeer het niet meteen weer.',
  'Ask the telephone provider: the credit may be used up.': 'Vraag de telefoonprovider: misschien is het tegoed op.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Vraag de telefoonprovider of hij gesprekken naar dit nummer toestaat, met uw nummer in beeld.',
  'The number is not in use any more. Take it out of your contacts.':
    'Het nummer is niet meer in gebruik. Haal het uit uw contacten.',
  'An administrator adds a codec to the trunk, under Trunks.':
    'Een beheerder voegt een codec aan de trunk toe, onder Trunks.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Een filter zag het gesprek voor spam aan. Vraag de provider om voor uw nummer in te staan.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Een beheerder controleert of de firewall het geluid doorlaat (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Probeer het opnieuw. Blijft het zo, dan kijkt een beheerder onder Status.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Een beheerder test taalmodel, spraakherkenning en stem, onder Modellen.',
  'Allow the microphone for this page in the browser, then try again.':
    'Sta de microfoon voor deze pagina toe in de browser en probeer het opnieuw.',
  'An administrator looks at Status: no call was taken for a while.':
    'Een beheerder kijkt onder Status: een tijdje is geen gesprek aangenomen.',
  'Call again. The service has started anew by itself.': 'Bel opnieuw. De dienst is vanzelf opnieuw gestart.',
  'Call again once the service runs.': 'Bel opnieuw als de dienst draait.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Probeer het opnieuw. Blijft het zo, dan kijkt een beheerder naar de trunk, onder Trunks.',
  'Ask the telephone provider why it refuses the call.': 'Vraag de telefoonprovider waarom hij het gesprek weigert.',
  'An administrator adds a trunk, under Trunks.': 'Een beheerder voegt een trunk toe, onder Trunks.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Probeer het opnieuw als een gesprek is afgelopen, of laat er meer tegelijk toestaan.',
  'Resume the campaign, then call again.': 'Hervat de campagne en bel dan opnieuw.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Haal het nummer alleen van de niet-bellen-lijst als de persoon gebeld wil worden.',
  'What to do': 'Wat te doen',
  'The telephone provider did not put the call through': 'De telefoonprovider verbond het gesprek niet',
  'The call does not say it.': 'Het gesprek zegt het niet.',
  'Without a language model this is not known.': 'Zonder taalmodel is dit niet bekend.',
};
