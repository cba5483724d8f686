// The words of trunks and carriers in Spanish, by their English ones.
export default {
  'Provider or PBX': 'Proveedor o centralita',
  Host: 'Servidor',
  'Name or address; calls from its addresses are taken':
    'Nombre o dirección; se aceptan las llamadas desde sus direcciones',
  Port: 'Puerto',
  "5060: the provider's own records come first": '5060: los registros DNS del proveedor van primero',
  'Outbound proxy': 'Proxy de salida',
  'host:port or SIP URI, if all requests go through one':
    'host:puerto o URI SIP, si todas las peticiones pasan por uno',
  Domain: 'Dominio',
  'Of From, To and REGISTER, where it is not the host': 'De From, To y REGISTER, si no es el servidor',
  'Leave it empty where the provider knows you by your address.':
    'Déjelo vacío si el proveedor le reconoce por su dirección.',
  'Stored encrypted, never shown again': 'Se guarda cifrada y no se vuelve a mostrar',
  'Empty: it stays as it is. It is never shown.': 'Vacío: se queda como está. No se muestra nunca.',
  'User name for digest': 'Usuario para la autenticación',
  'If it differs': 'Si es distinto',
  Register: 'Registrarse (REGISTER)',
  'Sends REGISTER and renews it, so that the provider finds this service; needs a user name':
    'Envía REGISTER y lo renueva para que el proveedor encuentre este servicio; necesita un usuario',
  'Other networks that may send calls': 'Otras redes que pueden enviar llamadas',
  "One CIDR a line, as 192.76.120.10/32: the provider's signalling addresses":
    'Un CIDR por línea, como 192.76.120.10/32: las direcciones de señalización del proveedor',
  'How numbers are written': 'Cómo se escriben los números',
  'Called numbers': 'Números llamados',
  '03012345 within the country': '03012345 dentro del país',
  'Two letters: of numbers that come without a country code':
    'Dos letras: de los números que llegan sin prefijo de país',
  'Numbers of incoming calls': 'Números de llamadas entrantes',
  'Where digits are valid both ways: E.164 without its plus, or as they are dialled in the country':
    'Cuando las cifras valen de dos maneras: E.164 sin el signo más, o como se marca en el país',
  'By the numbers that are yours': 'Según sus propios números',
  'Always E.164': 'Siempre E.164',
  'As they are dialled': 'Como se marcan',
  Prefix: 'Prefijo',
  'Put before each number, e.g. the digit for an outside line':
    'Va delante de cada número, p. ej. la cifra para línea exterior',
  'Our number stands in': 'Nuestro número va en',
  Both: 'Ambas',
  'G.711, speech up to 3.4 kHz: every carrier and telephone has it':
    'G.711, voz hasta 3,4 kHz: lo tienen todos los operadores y teléfonos',
  'G.711 as used in Europe': 'G.711 como se usa en Europa',
  'Wideband, up to 7 kHz: most desk telephones and PBXs':
    'Banda ancha, hasta 7 kHz: la mayoría de teléfonos de mesa y centralitas',
  'Wideband, up to 8 kHz: softphones; survives packet loss':
    'Banda ancha, hasta 8 kHz: softphones; aguanta la pérdida de paquetes',
  'In the order in which they are offered. Telephone networks carry G.711; add the others for a PBX, or a carrier with HD voice.':
    'En el orden en que se ofrecen. Las redes telefónicas llevan G.711; añada los demás para una centralita o un operador con voz HD.',
  'Choose at least one.': 'Elija al menos uno.',
  'Encrypt it (SDES-SRTP)': 'Cifrar (SDES-SRTP)',
  'Only with TLS, since the keys are in the signalling. Calls without it are refused.':
    'Solo con TLS, porque las claves van en la señalización. Las llamadas sin ello se rechazan.',
  'Limits and backup': 'Límites y reserva',
  'Calls at a time': 'Llamadas simultáneas',
  'Outbound calls a second': 'Llamadas salientes por segundo',
  'Providers refuse calls that come faster than they allow':
    'Los proveedores rechazan llamadas más rápidas de lo permitido',
  Backup: 'Reserva',
  'Tried when this trunk fails before anything rang': 'Se prueba si esta troncal falla antes de que suene',
  'Ask whether it is up (OPTIONS)': 'Preguntar si responde (OPTIONS)',
  'Off for a peer that never answers OPTIONS: it would count as down.':
    'Desactivado si el otro lado nunca responde OPTIONS: contaría como caído.',
  'Transfer by its side (REFER)': 'Transferir en su lado (REFER)',
  'Off for a carrier that takes no REFER: a blind transfer is then a second call, joined to the first here.':
    'Desactivado si el operador no acepta REFER: la transferencia es entonces una segunda llamada, unida aquí a la primera.',
  '{name} is in use': '{name} está en uso',
  'New trunk': 'Troncal nueva',
  'A name and a host are enough; the defaults suit most providers.':
    'Bastan un nombre y un servidor; lo demás sirve para casi todos los proveedores.',
  'Add the trunk': 'Añadir la troncal',
  'Registered until': 'Registrada hasta',
  'Last checked': 'Última revisión',
  'Not yet': 'Aún no',
  'Its plus': 'Su signo más',
  'The setting of this trunk': 'El ajuste de esta troncal',
  'Valid in one way only': 'Solo vale de una manera',
  'It is one of your numbers': 'Es uno de sus números',
  'E.164, of two valid readings': 'E.164, de dos lecturas válidas',
  'No telephone number': 'No es un número de teléfono',
  'Last incoming calls': 'Últimas llamadas entrantes',
  'Numbers as they came, and as they were read.': 'Los números como llegaron y como se leyeron.',
  'Read so by': 'Leído así por',
  'Check user name, password and the user name for digest; some providers have a domain per account.':
    'Revise usuario, contraseña y usuario para la autenticación; algunos proveedores usan un dominio por cuenta.',
  'The host or the domain is not the registrar’s.': 'El servidor o el dominio no son los del registrador.',
  'A firewall, the wrong transport or port, or a provider that drops unknown senders silently.':
    'Un cortafuegos, transporte o puerto equivocados, o un proveedor que descarta en silencio a los desconocidos.',
  'The host’s name cannot be found: check it, and this machine’s name servers.':
    'No se encuentra el nombre del servidor: revíselo, y los servidores DNS de esta máquina.',
  'The host must be the name in the certificate; add your own CA with NODE_EXTRA_CA_CERTS.':
    'El servidor debe ser el nombre del certificado; añada su propia CA con NODE_EXTRA_CA_CERTS.',
  'Remove the password of {name}?': '¿Quitar la contraseña de {name}?',
  'Where the provider asks for one, registration and calls are refused.':
    'Si el proveedor la pide, se rechazan el registro y las llamadas.',
  'Remove the password': 'Quitar la contraseña',
  'Password removed': 'Contraseña quitada',
  'Delete the trunk {name}?': '¿Eliminar la troncal {name}?',
  '{count} calls run over it.': '{count} llamadas pasan por ella.',
  'Calls from it are refused, and its numbers call out over the oldest trunk that is left.':
    'Las llamadas desde ella se rechazan y sus números llaman por la troncal más antigua que quede.',
  'Delete the trunk': 'Eliminar la troncal',
  'Does not register': 'No se registra',
  Registering: 'Registrándose',
  'Registration refused': 'Registro rechazado',
  'Not checked yet': 'Aún sin revisar',
  'Does not answer': 'No responde',
  'They connect the service to the telephone network, through a provider or your own PBX.':
    'Conectan el servicio con la red telefónica, por un proveedor o su propia centralita.',
  'No trunks yet': 'Aún no hay troncales',
  'By the key of a carrier': 'Con la clave de un operador',
  'You need the host, and usually a user name and password, from your provider or PBX. At Twilio, Telnyx and Plivo it is made by your key. A trunk is in use at once, without a restart.':
    'Necesita el servidor y normalmente usuario y contraseña de su proveedor o centralita. En Twilio, Telnyx y Plivo se crea con su clave. Una troncal se usa al momento, sin reiniciar.',
  '{name} is connected': '{name} está conectado',
  'Connect a carrier': 'Conectar un operador',
  'The key is kept encrypted and is never shown again.': 'La clave se guarda cifrada y no se vuelve a mostrar.',
  'Connect and test': 'Conectar y probar',
  Carrier: 'Operador',
  'Numbers that you have at {name}': 'Números que tiene en {name}',
  'Show them': 'Mostrarlos',
  'A number that is taken over rings here: it is bound to the trunk, and nowhere else any more.':
    'Un número traído suena aquí: queda unido a la troncal y a nada más.',
  'There is none.': 'No hay ninguno.',
  'Numbers at the carrier': 'Números en el operador',
  'Take over {name}': 'Traer {name}',
  'In use here': 'En uso aquí',
  Disconnect: 'Desconectar',
  'Not tested yet.': 'Aún sin probar.',
  'The key ends in {end}': 'La clave termina en {end}',
  'tested {ago}': 'probada {ago}',
  'Numbers bought here': 'Números comprados aquí',
  'Make the trunk first: its numbers are then found when you buy one.':
    'Cree antes la troncal: sus números aparecen luego al comprar.',
  'None was bought yet. The price of each is shown before you buy it.':
    'Aún no se compró ninguno. El precio se muestra antes de comprar.',
  'The last purchases': 'Las últimas compras',
  'Its numbers are offered to': 'Sus números se ofrecen a',
  'You pay the carrier for what they buy': 'Usted paga al operador lo que compren',
  'Accounts of ADMINs': 'Cuentas de administradores',
  'All accounts': 'Todas las cuentas',
  'Dollars a month for an account': 'Dólares al mes por cuenta',
  'Empty: the carrier’s own price': 'Vacío: el precio del operador',
  'New: {name}': 'Nuevo: {name}',
  'Empty: the one that is stored': 'Vacío: el guardado',
  '{name} is disconnected': '{name} está desconectado',
  'Disconnect {name}?': '¿Desconectar {name}?',
  'Its key is forgotten. Numbers that were bought here must be released before.':
    'Se olvida su clave. Los números comprados aquí deben liberarse antes.',
  'Take the trunk back, here and at {name}': 'Retirar la troncal, aquí y en {name}',
  'Without it both go on, and calls with them.': 'Si no, ambos siguen, y las llamadas también.',
  'The trunk': 'La troncal',
  'Open the trunk': 'Abrir la troncal',
  'One step makes the trunk at {name} and here: its credentials, its addresses, and where calls go.':
    'Un paso crea la troncal en {name} y aquí: credenciales, direcciones y adónde van las llamadas.',
  'It is made, there and here. Asking again changes it and makes nothing twice.':
    'Está creada, allí y aquí. Repetirlo la cambia y no crea nada dos veces.',
  'Make the trunk': 'Crear la troncal',
  'Make it again': 'Crearla de nuevo',
  'Encrypted, both ways': 'Cifrada, en ambos sentidos',
  'Signalling by TLS, media by SRTP.': 'Señalización por TLS, audio por SRTP.',
  'TLS and SRTP. It needs a certificate (SIP_TLS_PORT).': 'TLS y SRTP. Necesita un certificado (SIP_TLS_PORT).',
  'Countries that may be called': 'Países a los que se puede llamar',
  'In two letters each, as in US CA GB': 'Dos letras cada uno, como ES FR PT',
  'Addresses from which Plivo calls': 'Direcciones desde las que llama Plivo',
  'As its console lists them for your region, one a line': 'Como los lista su consola para su región, una por línea',
  'Both stand on the first page of Twilio’s console.': 'Ambos están en la primera página de la consola de Twilio.',
  'Make one under API Keys in Telnyx’s portal. It begins with KEY.':
    'Cree una en API Keys del portal de Telnyx. Empieza por KEY.',
  'Both stand on the first page of Plivo’s console.': 'Ambos están en la primera página de la consola de Plivo.',
  Ordered: 'Pedido',
  Bought: 'Comprado',
  'Given back': 'Devuelto',
  'Twilio, Telnyx or Plivo by their key: the trunk is made for you, and numbers are bought here.':
    'Twilio, Telnyx o Plivo con su clave: la troncal se crea sola y los números se compran aquí.',
  'No carrier is connected': 'No hay ningún operador conectado',
  'You need an account at one of them, and its key. Trunks and numbers of other providers are added under Trunks and Inventory.':
    'Necesita una cuenta en uno de ellos y su clave. Las troncales y números de otros proveedores se añaden en Troncales e Inventario.',
  'Not tested': 'Sin probar',
  Works: 'Funciona',
  'Something is missing': 'Falta algo',
  'None yet': 'Ninguna todavía',
  Made: 'Creada',
  'Numbers for': 'Números para',
};
