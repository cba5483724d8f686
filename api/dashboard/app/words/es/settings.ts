// The words of settings and billing in Spanish, by their English ones.
export default {
  'Shown in the mails that invite people': 'Aparece en los correos de invitación',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'En ella se cuentan sus minutos mensuales. Los negocios y campañas tienen la suya.',
  'Default campaign': 'Campaña predeterminada',
  'It answers calls to numbers that serve no campaign': 'Atiende llamadas a números que no sirven a ninguna campaña',
  'None: such calls are refused': 'Ninguna: esas llamadas se rechazan',
  'Keep calls for … days': 'Guardar llamadas … días',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'Desde la próxima noche se borran las llamadas más antiguas, con grabación y transcripción. No se puede deshacer.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'Las llamadas más antiguas se borran cada noche, con grabación y transcripción. Vacío: se guardan.',
  Plan: 'Plan',
  Account: 'Cuenta',
  'Your password is changed. All other sessions have ended.':
    'Su contraseña se ha cambiado. Las demás sesiones han terminado.',
  'Change the password': 'Cambiar la contraseña',
  'Forgot the old one?': '¿Olvidó la anterior?',
  'Old password': 'Contraseña anterior',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 caracteres o más. Las demás sesiones terminan; las claves de API quedan.',
  'Your recovery codes': 'Sus códigos de recuperación',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Cada uno le permite entrar una vez si pierde el teléfono. Solo se muestran esta vez: guárdelos en un lugar seguro.',
  'Recovery codes': 'Códigos de recuperación',
  'I have saved them': 'Los he guardado',
  'Two-factor sign-in is off': 'El inicio en dos pasos está desactivado',
  On: 'Sí',
  'Two-factor sign-in': 'Inicio en dos pasos',
  'Signing in takes the password and a code of your authenticator app.':
    'Para entrar hacen falta la contraseña y un código de su app de autenticación.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'Además de la contraseña, un código de una app en su teléfono: así no basta con una contraseña filtrada.',
  'Switch it off': 'Desactivarlo',
  'Set it up': 'Configurarlo',
  'Switch it on': 'Activarlo',
  'Scan this with your authenticator app, or type the secret into it.':
    'Escanee esto con su app de autenticación o escriba el secreto.',
  'QR code of the secret below': 'Código QR del secreto de abajo',
  'Six digits that the app shows now': 'Seis cifras que muestra ahora la app',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'Entonces basta la contraseña. Los códigos de recuperación dejan de valer.',
  'From the app, or a recovery code': 'De la app, o un código de recuperación',
  'Ended the session': 'Sesión terminada',
  'End all other sessions?': '¿Terminar las demás sesiones?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Los demás navegadores y programas con su sesión deben iniciarla de nuevo. Las claves de API quedan.',
  'End all others': 'Terminar las demás',
  'Ended one session': 'Una sesión terminada',
  'Ended {count} sessions': '{count} sesiones terminadas',
  Sessions: 'Sesiones',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Dónde tiene la sesión iniciada. Una sesión sin uso durante una semana termina sola.',
  Device: 'Dispositivo',
  'This one': 'Este',
  'Signed in': 'Sesión iniciada',
  'Identity provider': 'Proveedor de identidad',
  'Last used': 'Último uso',
  'End this session': 'Terminar esta sesión',
  'End this session: {device}, {address}': 'Terminar esta sesión: {device}, {address}',
  'unknown address': 'dirección desconocida',
  Team: 'Equipo',
  Security: 'Seguridad',
  'A mail with the link is on its way to {email}': 'Un correo con el enlace va de camino a {email}',
  'Remove {email}?': '¿Quitar a {email}?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'Sus sesiones y claves de API terminan al momento. Lo que configuró queda.',
  '{email} is removed': '{email} se ha quitado',
  Invite: 'Invitar',
  'Send the invitation': 'Enviar la invitación',
  'No mail server is set: send this link to {email} yourself':
    'No hay servidor de correo: envíe usted este enlace a {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Fija la contraseña y vale 7 días. Con SMTP_URL lo envía el servicio.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Un enlace fija la contraseña; vale 7 días y uno nuevo anula el anterior. Todos en la cuenta ven los mismos datos y pueden invitar y quitar a otros.',
  '(you)': '(usted)',
  Role: 'Función',
  Viewer: 'Solo lectura',
  Operator: 'Operador',
  Member: 'Miembro',
  Admin: 'Administrador',
  Invited: 'Invitado',
  'Two-factor': 'Dos pasos',
  'New link for {email}': 'Nuevo enlace para {email}',
  'New link': 'Nuevo enlace',
  'Remove {email}': 'Quitar a {email}',
  'Costs of the calls': 'Costes de las llamadas',
  'Minutes of this month': 'Minutos de este mes',
  'Minutes used': 'Minutos usados',
  'minutes used, without a limit': 'minutos usados, sin límite',
  'of {limit} minutes used': 'de {limit} minutos usados',
  'Counted from zero again on {time}.': 'Se cuenta de cero de nuevo el {time}.',
  'Minutes beyond the plan cost $0.05 each.': 'Los minutos fuera del plan cuestan $0,05 cada uno.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'Se han agotado los minutos: se rechazan las salientes y se atienden las entrantes.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Cuando se agotan, se rechazan las salientes; las entrantes se atienden siempre.',
  Payment: 'Pago',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'En esta instalación no se cobra nada. Abajo solo se anota lo que costarían números y minutos.',
  Card: 'Tarjeta',
  '{brand} ending in {digits}': '{brand} terminada en {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Todavía no hay tarjeta: no se pueden comprar números de pago.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Las tarjetas se añaden en una página de Stripe; se cobra en la última añadida.',
  'Use another card': 'Usar otra tarjeta',
  'Add a card': 'Añadir una tarjeta',
  Charges: 'Cargos',
  'No charges': 'Sin cargos',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Aquí se anotan los números con precio mensual y los minutos fuera del plan.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'Los números se cobran por mes natural; los minutos fuera del plan, al acabar el mes.',
  Date: 'Fecha',
  For: 'Por',
  'Number {phoneNumber}': 'Número {phoneNumber}',
  'Minutes beyond the plan': 'Minutos fuera del plan',
  Recorded: 'Anotado',
  Paid: 'Pagado',
  Refunded: 'Reembolsado',
  '{browser} on {system}': '{browser} en {system}',
};
