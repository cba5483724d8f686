// The words of webhooks, API keys and the audit log in Spanish, by their English ones.
export default {
  'All deliveries': 'Todas las entregas',
  'Failed only': 'Solo fallidas',
  'Delivered only': 'Solo entregadas',
  Deliveries: 'Entregas',
  Show: 'Mostrar',
  'Nothing sent yet': 'Nada enviado todavía',
  'No such delivery': 'Ninguna entrega así',
  'Send a test': 'Enviar una prueba',
  'Deliveries are kept for 30 days.': 'Las entregas se guardan 30 días.',
  Event: 'Evento',
  Time: 'Tiempo',
  Replay: 'Repetición',
  'Attempt {number}': 'Intento {number}',
  Fault: 'Fallo',
  Payload: 'Contenido',
  'Answer of the receiver': 'Respuesta del receptor',
  'Without a body.': 'Sin contenido.',
  'A replay sends the same bytes under the same webhook-id, with a new signature.':
    'Una repetición envía los mismos bytes con el mismo webhook-id y una firma nueva.',
  'An inbound or browser call has arrived': 'Ha llegado una llamada entrante o del navegador',
  'An outbound call is being placed': 'Se está haciendo una llamada saliente',
  'A call has ended, answered or not: with transcript and summary':
    'Ha terminado una llamada, respondida o no: con transcripción y resumen',
  'Beside call.ended: nobody answered, or it broke down': 'Además de call.ended: nadie respondió o se cortó',
  'Beside call.ended: an answering machine took it': 'Además de call.ended: la tomó un contestador',
  'The caller was handed to a person': 'El llamante pasó a una persona',
  'A call goes on in another language': 'Una llamada sigue en otro idioma',
  'A call went on after its engine had died or was replaced':
    'Una llamada siguió después de que su centralita fallara o se sustituyera',
  'What you want to know of a call was found after its end':
    'Se encontró lo que quiere saber de una llamada tras su final',
  'An appointment was booked on a call': 'Se reservó una cita en una llamada',
  'An appointment was moved, cancelled or booked again': 'Una cita se movió, se canceló o se reservó de nuevo',
  'A contact asked not to be called again': 'Un contacto pidió que no se le vuelva a llamar',
  'Every contact of a campaign has been dealt with': 'Se han atendido todos los contactos de una campaña',
  'A port-in order has changed its status': 'Cambió el estado de un número traído',
  'A version that led a share of the calls was published, or has gone back':
    'Una versión que llevaba parte de las llamadas se publicó o se retiró',
  'The outbound minutes of an hour or a day have reached a limit':
    'Los minutos salientes de una hora o un día llegaron a un límite',
  'The receiver answered 410 Gone, so the service stopped delivering.':
    'El receptor respondió 410 Gone, así que el servicio dejó de entregar.',
  'Every attempt of five days failed, so the service stopped delivering.':
    'Fallaron todos los intentos de cinco días, así que el servicio dejó de entregar.',
  'It is switched off.': 'Está desactivado.',
  'Send it': 'Enviarla',
  'A complete sample, signed like any other. It is sent once and never repeated.':
    'Un ejemplo completo, firmado como los demás. Se envía una vez y no se repite.',
  URL: 'URL',
  'HTTPS, on a public address. It must answer a signed probe with 2xx within 10 seconds.':
    'HTTPS, en una dirección pública. Debe responder 2xx a una prueba firmada en 10 segundos.',
  'Choose none': 'No elegir ninguno',
  'Choose all': 'Elegir todos',
  'Choose at least one event.': 'Elija al menos un evento.',
  'Create the webhook': 'Crear el webhook',
  'Webhook created': 'Webhook creado',
  'Secret of its signatures': 'Secreto de sus firmas',
  'Give it to your receiver: each delivery carries {header}, an HMAC-SHA256 with the SHA-256 of this secret as its key.':
    'Déselo a su receptor: cada entrega lleva {header}, un HMAC-SHA256 con el SHA-256 de este secreto como clave.',
  'New secret: the old one is no longer used': 'Secreto nuevo: el antiguo ya no se usa',
  'Events of this time are not sent later. When the receiver works, switch it on: delivery starts with the next event.':
    'Los eventos de este tiempo no se envían después. Cuando el receptor funcione, actívelo: se entrega desde el siguiente evento.',
  'Failed since the last success': 'Fallidas desde el último éxito',
  'Last delivery': 'Última entrega',
  'Rotate the secret?': '¿Renovar el secreto?',
  'Deliveries to {url} are signed with the new secret from now on. A receiver that still has the old one refuses them until you have changed it there.':
    'Las entregas a {url} se firman desde ahora con el secreto nuevo. Un receptor que aún tenga el antiguo las rechaza hasta que lo cambie allí.',
  'Rotate the secret': 'Renovar el secreto',
  'Delete this webhook?': '¿Eliminar este webhook?',
  '{url} receives no more events. Deliveries waiting for another attempt are dropped.':
    '{url} no recibe más eventos. Las entregas que esperan otro intento se descartan.',
  'Delete the webhook': 'Eliminar el webhook',
  'Webhook deleted': 'Webhook eliminado',
  'Only a digest of it is kept: a lost secret is replaced, not looked up.':
    'Solo se guarda un resumen: un secreto perdido se sustituye, no se consulta.',
  'The log of its deliveries stays in the service for 30 days.':
    'El registro de sus entregas queda 30 días en el servicio.',
  'Your system is told of calls, appointments and campaigns as they happen.':
    'Su sistema se entera de llamadas, citas y campañas en cuanto ocurren.',
  'No webhooks yet': 'Aún no hay webhooks',
  'Enter an HTTPS address of your system and choose the events it should receive. Each delivery is signed, and retried for up to two days if your system does not answer.':
    'Escriba una dirección HTTPS de su sistema y elija los eventos que debe recibir. Cada entrega va firmada y se reintenta hasta dos días si su sistema no responde.',
  '{first}, {second} and {count} more': '{first}, {second} y {count} más',
  'Stopped after failures': 'Detenido tras fallos',
  '1 failed attempt': '1 intento fallido',
  '{count} failed attempts': '{count} intentos fallidos',
  Webhook: 'Webhook',
  'Calls, recordings, contacts, settings': 'Llamadas, grabaciones, contactos, ajustes',
  'Place, end and control calls, listen in, start campaigns':
    'Hacer, terminar y controlar llamadas, escuchar, iniciar campañas',
  'Create, change and delete everything else': 'Crear, cambiar y eliminar todo lo demás',
  'When it is revoked': 'Cuando se revoque',
  'After 30 days': 'Tras 30 días',
  'After 90 days': 'Tras 90 días',
  'After a year': 'Tras un año',
  'New API key': 'Nueva clave de API',
  'Revoke “{name}”?': '¿Revocar «{name}»?',
  'Programs that use it are refused from now on. A revoked key cannot be brought back.':
    'Los programas que la usan se rechazan desde ahora. Una clave revocada no se recupera.',
  'Revoke the key': 'Revocar la clave',
  'API key revoked': 'Clave de API revocada',
  'For programs that use the API. A key can do what you let it do with calls, campaigns and numbers, and nothing with passwords or people.':
    'Para programas que usan la API. Una clave puede lo que usted permita con llamadas, campañas y números, y nada con contraseñas ni personas.',
  'No API keys yet': 'Aún no hay claves de API',
  'Make one for each program, to see which keys are still in use and to revoke them one by one.':
    'Cree una para cada programa: así ve cuáles se usan todavía y puede revocarlas una a una.',
  May: 'Puede',
  Everything: 'Todo',
  Never: 'Nunca',
  Ends: 'Termina',
  'Revoke {name}': 'Revocar {name}',
  Revoke: 'Revocar',
  'API key “{name}”': 'Clave de API «{name}»',
  'API key': 'Clave de API',
  'The key': 'La clave',
  'Create the key': 'Crear la clave',
  'The program that will use it': 'El programa que la usará',
  'Nightly import': 'Importación nocturna',
  'It may': 'Puede',
  'It ends': 'Termina',
  'Who did what in this account. Names of fields are noted, their values never.':
    'Quién hizo qué en esta cuenta. Se anotan los nombres de los campos, nunca sus valores.',
  'Who did what in the installation. Names of fields are noted, their values never.':
    'Quién hizo qué en la instalación. Se anotan los nombres de los campos, nunca sus valores.',
  'Command line': 'Línea de comandos',
  Action: 'Acción',
  Record: 'Registro',
  Fields: 'Campos',
  'IP address': 'Dirección IP',
  'Nothing fits these filters': 'Nada encaja con estos filtros',
  'Nothing is noted yet': 'Aún no hay nada anotado',
  'Each change of agents, businesses, campaigns, numbers and people is noted here, each sign-in, and each recording that somebody has heard. Entries stay for 400 days.':
    'Aquí se anota cada cambio de agentes, negocios, campañas, números y personas, cada inicio de sesión y cada grabación que alguien ha escuchado. Se conservan 400 días.',
  'by an API key': 'con una clave de API',
  'Only entries of {name}': 'Solo entradas de {name}',
  Appointment: 'Cita',
  'Model settings': 'Ajustes de modelos',
  'Port order': 'Portabilidad',
  'Sign-in': 'Inicio de sesión',
  User: 'Usuario',
  'Website key': 'Clave de sitio web',
};
