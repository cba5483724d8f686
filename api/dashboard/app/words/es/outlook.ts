// The words of ends of calls, with what to do in Spanish, by their English ones.
export default {
  'an appointment': 'una cita',
  'the way to you': 'cómo llegar',
  'a complaint': 'una queja',
  'appointment booked': 'cita reservada',
  'appointment moved': 'cita cambiada',
  'appointment cancelled': 'cita cancelada',
  'appointment confirmed': 'cita confirmada',
  'call back scheduled': 'llamada de vuelta programada',
  'call back wanted': 'pide que le llamen',
  'put through': 'pasada a una persona',
  'no more calls wanted': 'no quiere más llamadas',
  'the agent failed': 'el agente falló',
  'A machine answered; a message was left.': 'Respondió un contestador; se dejó un mensaje.',
  'A machine answered.': 'Respondió un contestador.',
  'The caller said nothing.': 'El llamante no dijo nada.',
  'The caller spoke once.': 'El llamante habló una vez.',
  'The agent failed, and the caller was left without an answer.':
    'El agente falló y el llamante se quedó sin respuesta.',
  'The caller was put through to a person.': 'El llamante pasó a una persona.',
  'The caller asked to be called back.': 'El llamante pidió que le devuelvan la llamada.',
  'The person asked not to be called again.': 'La persona pidió que no se le vuelva a llamar.',
  'The call was cut off by a fault of the service.': 'Un fallo del servicio cortó la llamada.',
  'Inbound call of {duration}.': 'Llamada entrante de {duration}.',
  'Outbound call of {duration}.': 'Llamada saliente de {duration}.',
  'It was about: {topics}.': 'Se habló de: {topics}.',
  'The caller spoke {count} times.': 'El llamante habló {count} veces.',
  'Booked: {service}, {time}.': 'Reservado: {service}, {time}.',
  'The call was not answered: {outcome}.': 'La llamada no se respondió: {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Un administrador revisa usuario y contraseña de la troncal, en Troncales.',
  'Check the number: is it complete, with its country code?': 'Revise el número: ¿está completo, con prefijo de país?',
  'Try again later.': 'Inténtelo más tarde.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'El fallo es del proveedor de telefonía. Inténtelo en unos minutos y, si sigue, pregúntele.',
  'The person does not want the call now. Do not try again soon.':
    'La persona no quiere la llamada ahora. No insista pronto.',
  'Ask the telephone provider: the credit may be used up.':
    'Pregunte al proveedor de telefonía: quizá se acabó el saldo.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Pregunte al proveedor de telefonía si permite llamar a este número y mostrar el suyo.',
  'The number is not in use any more. Take it out of your contacts.':
    'El número ya no existe. Quítelo de sus contactos.',
  'An administrator adds a codec to the trunk, under Trunks.':
    'Un administrador añade un códec a la troncal, en Troncales.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Un filtro tomó la llamada por spam. Pida al proveedor que avale su número.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Un administrador comprueba que el cortafuegos deja pasar el audio (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Inténtelo de nuevo. Si sigue, un administrador mira en Estado.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Un administrador prueba modelo de lenguaje, reconocimiento y voz, en Modelos.',
  'Allow the microphone for this page in the browser, then try again.':
    'Permita el micrófono para esta página en el navegador e inténtelo de nuevo.',
  'An administrator looks at Status: no call was taken for a while.':
    'Un administrador mira en Estado: durante un rato no se tomó ninguna llamada.',
  'Call again. The service has started anew by itself.': 'Llame de nuevo. El servicio se ha reiniciado solo.',
  'Call again once the service runs.': 'Llame de nuevo cuando el servicio funcione.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Inténtelo de nuevo. Si sigue, un administrador mira la troncal, en Troncales.',
  'Ask the telephone provider why it refuses the call.':
    'Pregunte al proveedor de telefonía por qué rechaza la llamada.',
  'An administrator adds a trunk, under Trunks.': 'Un administrador añade una troncal, en Troncales.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Inténtelo cuando termine una llamada o pida al operador que permita más a la vez.',
  'Resume the campaign, then call again.': 'Reanude la campaña y llame de nuevo.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Quite el número de la lista de no llamar solo si la persona quiere llamadas.',
  'What to do': 'Qué hacer',
  'The telephone provider did not put the call through': 'El proveedor de telefonía no pasó la llamada',
  'The call does not say it.': 'La llamada no lo dice.',
  'Without a language model this is not known.': 'Sin un modelo de lenguaje no se sabe.',
};
