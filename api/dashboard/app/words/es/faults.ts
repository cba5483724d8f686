// The words of errors, with what to do in Spanish, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'Su sesión ha terminado. Inicie sesión de nuevo.',
  'It has been deleted. Choose another one.': 'Se ha eliminado. Elija otro.',
  'This number is no longer on offer. Search again, and choose another.':
    'Este número ya no se ofrece. Busque de nuevo y elija otro.',
  'You have as many as an account may have. Delete one first.': 'Ya tiene el máximo de una cuenta. Elimine uno antes.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Hay demasiado de esto a la vez. Inténtelo de nuevo en un momento.',
  'Too many attempts. Try again in some minutes.': 'Demasiados intentos. Pruebe de nuevo en unos minutos.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'Ahora no se pueden hacer llamadas. Inténtelo de nuevo en unos segundos. Los administradores ven la causa en Estado.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Todas las líneas están ocupadas. Inténtelo cuando termine alguna llamada.',
  'The service is busy or starting anew. Try again in a moment.':
    'El servicio está ocupado o reiniciándose. Inténtelo de nuevo en un momento.',
  'This link was used or has expired. Have a new one sent.': 'Este enlace ya se usó o ha caducado. Pida otro.',
  'The code is wrong, used or too old. Have a new one sent.':
    'El código es incorrecto, ya se usó o es viejo. Pida otro.',
  'The password is wrong.': 'La contraseña es incorrecta.',
  'The code is wrong. Take the one that the app shows now.':
    'El código es incorrecto. Use el que muestra ahora la aplicación.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'El código es incorrecto o viejo. Use el que muestra ahora la aplicación o inicie sesión de nuevo.',
  'The page could not be read. Check its address, or type the facts in.':
    'No se pudo leer la página. Revise su dirección o escriba los datos.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'No se pudo leer el documento. Compruebe que se abre y que no tiene contraseña.',
  'Nothing is sent to this address. It must be a public https address.':
    'No se envía nada a esta dirección. Debe ser una dirección https pública.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'La dirección no respondió como debe. Compruebe que su sistema funciona y responde 2xx.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'El correo o la contraseña son incorrectos. Inténtelo de nuevo o elija una contraseña nueva.',
  'The sign-in did not work. Begin it again.': 'El inicio de sesión no funcionó. Empiece de nuevo.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'Su función no lo permite. Pídalo a quien administre la cuenta.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'Su correo aún no está confirmado. Abra el enlace del mensaje que recibió.',
  'Passwords are off here. Use the sign-in of your company.':
    'Aquí no se usan contraseñas. Use el inicio de sesión de su empresa.',
  'The sign-in was refused.': 'Se rechazó el inicio de sesión.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Aquí las cuentas nuevas son por invitación. Pídala al operador del servicio.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Ya no existe o es de otra cuenta. Vuelva a la lista.',
  'The agent is switched off. Switch it on, or choose another.': 'El agente está desactivado. Actívelo o elija otro.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Una campaña en marcha usa este agente. Páusela antes.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'La recepción integrada no admite instrucciones. Haga que diga sus palabras.',
  'Another appointment is at that time. Choose another time.': 'A esa hora ya hay otra cita. Elija otra hora.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'El operador aún no ha configurado el acceso a Google y Microsoft.',
  'The call has not ended yet. End it first.': 'La llamada aún no ha terminado. Termínela antes.',
  'The call has ended already.': 'La llamada ya ha terminado.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Nadie ha respondido aún. Inténtelo cuando respondan.',
  'Somebody talks to the caller already.': 'Alguien habla ya con el llamante.',
  'The caller was put through to a person already.': 'El llamante ya pasó a una persona.',
  'An answering machine has taken the call.': 'Un contestador ha tomado la llamada.',
  'The campaign is running. Pause it first.': 'La campaña está en marcha. Páusela antes.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'La campaña ha terminado y ya no llama. Elija otra.',
  'The campaign has no phone number. Give it one in its settings.':
    'La campaña no tiene número de teléfono. Déle uno en sus ajustes.',
  'The campaign is paused. Resume it first.': 'La campaña está en pausa. Reanúdela antes.',
  'The campaign has changed meanwhile. Load the page again.':
    'La campaña ha cambiado mientras tanto. Vuelva a cargar la página.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Ya se está probando una versión. Publíquela, descártela o deténgala antes.',
  'Numbers of this carrier are in use. Release them first.': 'Hay números de este operador en uso. Libérelos antes.',
  'There is no trunk at this carrier yet. Make it first.': 'Aún no hay troncal en este operador. Créela antes.',
  'The carrier refused it.': 'El operador lo rechazó.',
  'The carrier does not answer. Try again in a few minutes.':
    'El operador no responde. Inténtelo de nuevo en unos minutos.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Otra persona ha cambiado esto mientras tanto: {fields}. Lo que ha escrito sigue aquí. Guarde otra vez para reemplazar su cambio, o descarte el suyo para verlo.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Alguien lo cambió al mismo tiempo. Cárguelo de nuevo y cámbielo después.',
  'The contact is being called. Wait until the call has ended.':
    'Se está llamando al contacto. Espere a que termine la llamada.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Ningún número de la campaña puede enviar mensajes. Los de Twilio, Telnyx o Plivo pueden.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'Ya hay una cuenta con este correo. Inicie sesión o elija una contraseña nueva.',
  'You do not listen to the call any more. Begin to listen again.':
    'Ya no está escuchando la llamada. Empiece a escuchar de nuevo.',
  'Nothing waits to be published.': 'No hay nada por publicar.',
  'The carrier could not reach this service. The operator sets its address.':
    'El operador no podría llegar a este servicio. Quien lo gestiona configura la dirección.',
  'Nothing can be paid here: no payment provider is set up.':
    'Aquí no se puede pagar: no hay proveedor de pagos configurado.',
  'The call is not recorded.': 'La llamada no se graba.',
  'The caller is keying in a secret number. Wait until that is done.':
    'El llamante está tecleando un número secreto. Espere a que termine.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Otra campaña en marcha usa este número. Páusela o elija otro número.',
  'Somebody has this number already.': 'Alguien tiene ya este número.',
  'This number is not paid for. Check your card under Billing.':
    'Este número no está pagado. Revise su tarjeta en Facturación.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Este número está en la lista de no llamar. Quítelo solo si la persona quiere llamadas.',
  'The payment was declined. Use another card under Billing.':
    'El pago fue rechazado. Use otra tarjeta en Facturación.',
  'An order for this number is under way already.': 'Ya hay un pedido en curso para este número.',
  'This number is being bought already. Wait a moment.': 'Este número ya se está comprando. Espere un momento.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Se está completando una compra anterior. Inténtelo en un minuto.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'Tiene el máximo que permite su plan. Elimine algunos o elija un plan mayor.',
  'Calls are being read again already. Wait until that is done.':
    'Ya se están releyendo llamadas. Espere a que termine.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'No puede quitarse a sí mismo. Pídalo a otra persona del equipo.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'El operador lo ha fijado en otro sitio: aquí no se puede cambiar.',
  'Another softphone has this user name. Choose another.': 'Otro softphone tiene este usuario. Elija otro.',
  'You could not be called. Check the number, then try again.':
    'No se le pudo llamar. Revise el número e inténtelo de nuevo.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'No se han superado todas las pruebas obligatorias. Abra su última ejecución y arregle lo que falló.',
  'Tests are running already. Wait until they are done.': 'Ya hay pruebas en marcha. Espere a que terminen.',
  'The suite has no case yet. Add one first.': 'El grupo aún no tiene casos. Añada uno antes.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Un agente, un negocio o una campaña usa esta herramienta. Quítela allí antes.',
  'Another tool has this name. Choose another.': 'Otra herramienta tiene este nombre. Elija otro.',
  'The caller is being put through already.': 'Ya se está pasando al llamante.',
  'The file is too large. Split it, or make it smaller.': 'El archivo es demasiado grande. Divídalo o redúzcalo.',
  'This number may not be called from here. An administrator can allow its country.':
    'Desde aquí no se puede llamar a este número. Un administrador puede permitir su país.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Demasiadas contraseñas incorrectas. Espere unos minutos o elija una nueva.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'Se alcanzó su límite de mensajes o de gasto. No se envió nada.',
  'As many people listen as may. Try again when one has stopped.':
    'No puede escuchar nadie más. Inténtelo cuando alguien deje de hacerlo.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'Se han gastado los minutos de su plan. Facturación muestra cuándo empiezan de nuevo.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Este destinatario recibió diez mensajes en una hora. Inténtelo más tarde.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'Los minutos salientes de esta hora o día están gastados. Un administrador puede permitir más.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Algo falló en el servicio. Inténtelo de nuevo; si sigue, dé al operador el número de abajo.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Ahora no se puede acceder a grabaciones y documentos. Inténtelo en unos minutos.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'El inicio de sesión de su empresa no responde. Inténtelo en unos minutos.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'El modelo de lenguaje no dio una respuesta útil. Inténtelo de nuevo. Los administradores lo prueban en Modelos.',
  'The test took too long. Try again.': 'La prueba tardó demasiado. Inténtelo de nuevo.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'No hay troncal para llamar. Un administrador la añade en Troncales.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'El proveedor de telefonía no responde. Los administradores ven la causa en Troncales.',
  'The payment could not be made now. Try again in a few minutes.':
    'Ahora no se pudo hacer el pago. Inténtelo en unos minutos.',
  'The voice could not be played. Try again in a moment.': 'No se pudo reproducir la voz. Inténtelo en un momento.',
  'This is not there any more: choose another one.': 'Ya no existe: elija otro.',
  'Please fill this in.': 'Rellene este campo.',
  'Write a whole address, which begins with https://': 'Escriba la dirección completa, que empieza por https://',
  'Write a whole e-mail address.': 'Escriba la dirección de correo completa.',
  'Choose a date and a time.': 'Elija fecha y hora.',
  'Choose a date.': 'Elija una fecha.',
  'Choose a time zone of the list.': 'Elija una zona horaria de la lista.',
  'Choose a time that is still to come.': 'Elija una hora futura.',
  'Choose a time that has passed.': 'Elija una hora pasada.',
  'Choose two different times.': 'Elija dos horas distintas.',
  'Three letters, as EUR, USD or GBP.': 'Tres letras, como EUR, USD o GBP.',
  'At most two decimals.': 'Como mucho dos decimales.',
  'This is not right yet.': 'Esto aún no está bien.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Escriba el número con prefijo de país, como +34 910 123 456.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Aquí no se permiten llamadas a este número. Un administrador puede permitir su país.',
  'At least {number} characters.': 'Al menos {number} caracteres.',
  'At most {number} characters.': 'Como mucho {number} caracteres.',
  'At least {number} of them.': 'Al menos {number}.',
  'At most {number} of them.': 'Como mucho {number}.',
  '{number} or more.': '{number} o más.',
  '{number} or less.': '{number} o menos.',
  'More than {number}.': 'Más de {number}.',
  'Less than {number}.': 'Menos de {number}.',
  'There is no softphone of this name.': 'No hay ningún softphone con ese nombre.',
};
