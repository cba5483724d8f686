// The words of ends of calls, with what to do in French, by their English ones.
export default {
  'an appointment': 'un rendez-vous',
  'the way to you': 'le chemin pour venir',
  'a complaint': 'une réclamation',
  'appointment booked': 'rendez-vous pris',
  'appointment moved': 'rendez-vous déplacé',
  'appointment cancelled': 'rendez-vous annulé',
  'appointment confirmed': 'rendez-vous confirmé',
  'call back scheduled': 'rappel prévu',
  'call back wanted': 'rappel souhaité',
  'put through': 'passé à une personne',
  'no more calls wanted': 'ne veut plus d’appels',
  'the agent failed': 'l’agent a échoué',
  'A machine answered; a message was left.': 'Un répondeur a décroché ; un message a été laissé.',
  'A machine answered.': 'Un répondeur a décroché.',
  'The caller said nothing.': 'L’appelant n’a rien dit.',
  'The caller spoke once.': 'L’appelant a parlé une fois.',
  'The agent failed, and the caller was left without an answer.':
    'L’agent a échoué, et l’appelant est resté sans réponse.',
  'The caller was put through to a person.': 'L’appelant a été passé à une personne.',
  'The caller asked to be called back.': 'L’appelant a demandé à être rappelé.',
  'The person asked not to be called again.': 'La personne a demandé à ne plus être appelée.',
  'The call was cut off by a fault of the service.': 'L’appel a été coupé par une panne du service.',
  'Inbound call of {duration}.': 'Appel entrant de {duration}.',
  'Outbound call of {duration}.': 'Appel sortant de {duration}.',
  'It was about: {topics}.': 'Il s’agissait de : {topics}.',
  'The caller spoke {count} times.': 'L’appelant a parlé {count} fois.',
  'Booked: {service}, {time}.': 'Réservé : {service}, {time}.',
  'The call was not answered: {outcome}.': 'L’appel n’a pas été pris : {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Un administrateur vérifie nom d’utilisateur et mot de passe du trunk, sous Trunks.',
  'Check the number: is it complete, with its country code?':
    'Vérifiez le numéro : est-il complet, avec l’indicatif du pays ?',
  'Try again later.': 'Réessayez plus tard.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'La panne vient du fournisseur de téléphonie. Réessayez dans quelques minutes, puis demandez-lui.',
  'The person does not want the call now. Do not try again soon.':
    'La personne ne veut pas l’appel maintenant. N’insistez pas tout de suite.',
  'Ask the telephone provider: the credit may be used up.':
    'Demandez au fournisseur de téléphonie : le crédit est peut-être épuisé.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Demandez au fournisseur s’il autorise les appels vers ce numéro, avec le vôtre affiché.',
  'The number is not in use any more. Take it out of your contacts.':
    'Le numéro n’est plus utilisé. Retirez-le de vos contacts.',
  'An administrator adds a codec to the trunk, under Trunks.':
    'Un administrateur ajoute un codec au trunk, sous Trunks.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Un filtre a pris l’appel pour du spam. Demandez au fournisseur de garantir votre numéro.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Un administrateur vérifie que le pare-feu laisse passer le son (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Réessayez. Si cela persiste, un administrateur regarde sous État.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Un administrateur teste modèle de langage, reconnaissance et voix, sous Modèles.',
  'Allow the microphone for this page in the browser, then try again.':
    'Autorisez le micro pour cette page dans le navigateur, puis réessayez.',
  'An administrator looks at Status: no call was taken for a while.':
    'Un administrateur regarde sous État : aucun appel n’a été pris pendant un moment.',
  'Call again. The service has started anew by itself.': 'Rappelez. Le service a redémarré de lui-même.',
  'Call again once the service runs.': 'Rappelez quand le service fonctionnera.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Réessayez. Si cela persiste, un administrateur regarde le trunk, sous Trunks.',
  'Ask the telephone provider why it refuses the call.':
    'Demandez au fournisseur de téléphonie pourquoi il refuse l’appel.',
  'An administrator adds a trunk, under Trunks.': 'Un administrateur ajoute un trunk, sous Trunks.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Réessayez quand un appel sera fini, ou faites-en autoriser plus à la fois.',
  'Resume the campaign, then call again.': 'Reprenez la campagne, puis rappelez.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Retirez le numéro de la liste « ne pas appeler » seulement si la personne veut être appelée.',
  'What to do': 'Que faire',
  'The telephone provider did not put the call through': 'Le fournisseur de téléphonie n’a pas passé l’appel',
  'The call does not say it.': 'L’appel ne le dit pas.',
  'Without a language model this is not known.': 'Sans modèle de langage, ce n’est pas connu.',
};
