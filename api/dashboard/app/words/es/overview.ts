// The words of the overview, and of live and browser calls, in Spanish, by their English ones.
export default {
  'As a table': 'Como tabla',
  'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.':
    'Los navegadores solo dan el micrófono a páginas seguras. Abra esta página con https:// o, en la propia máquina, como http://localhost.',
  'The microphone was refused. Allow it for this page in the browser’s address bar, then try again.':
    'Se denegó el micrófono. Permítalo para esta página en la barra de direcciones y vuelva a intentarlo.',
  'No microphone was found. Connect one, then try again.':
    'No se encontró ningún micrófono. Conecte uno y vuelva a intentarlo.',
  'The microphone is in use by another program. Close that program, then try again.':
    'Otro programa usa el micrófono. Ciérrelo y vuelva a intentarlo.',
  'The microphone could not be opened. Check it in the settings of the browser and the system.':
    'No se pudo abrir el micrófono. Revíselo en los ajustes del navegador y del sistema.',
  'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.':
    'La conexión de audio en {host} no es accesible desde este navegador. Detrás de un proxy, MEDIA_WS_PUBLIC_URL dice dónde la encuentran los navegadores.',
  Close: 'Cerrar',
  'A call from this browser, answered as a phone call to the campaign would be.':
    'Una llamada desde este navegador, atendida como una llamada telefónica a la campaña.',
  'Try it by text': 'Probarlo por texto',
  'No campaigns yet': 'Todavía no hay campañas',
  'A campaign says which agent speaks, and for which business. Make one, then talk to it here.':
    'Una campaña dice qué agente habla y para qué negocio. Cree una y hable aquí con él.',
  '{used} of {limit} minutes of this month are used; they begin again on {date}.':
    'Se han usado {used} de {limit} minutos de este mes; se renuevan el {date}.',
  'Without minutes no call is placed; callers are answered all the same.':
    'Sin minutos no se hace ninguna llamada; a quien llama se le atiende igualmente.',
  'The webhook [{url}] was switched off: its address answered that it is gone.':
    'El webhook [{url}] se desactivó: su dirección respondió que ya no existe.',
  'The webhook [{url}] was switched off: it failed for five days.':
    'El webhook [{url}] se desactivó: falló durante cinco días.',
  'The trunk [{name}] does not answer: calls through it fail.':
    'La troncal [{name}] no responde: las llamadas por ella fallan.',
  'The trunk [{name}] could not be registered: calls through it fail.':
    'La troncal [{name}] no se pudo registrar: las llamadas por ella fallan.',
  'First steps': 'Primeros pasos',
  'Do not show again': 'No mostrar más',
  'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.':
    'Indique la dirección de su sitio web: de él se leen horarios, precios y respuestas; usted elige una voz y habla con su agente. Unos cinco minutos.',
  'Go on with the set-up': 'Seguir con la configuración',
  'Talk to the demo': 'Hablar con la demo',
  'Hear the demo answer': 'Oír cómo responde la demo',
  'From this browser: ask for the opening hours, interrupt it, book an appointment.':
    'Desde este navegador: pregunte por el horario, interrúmpalo, reserve una cita.',
  'Make an agent': 'Crear un agente',
  'A name, a voice and a manner.': 'Un nombre, una voz y una manera de ser.',
  'Describe your business': 'Describir su negocio',
  'Opening hours, services and questions: what the agent knows.':
    'Horario, servicios y preguntas: lo que sabe el agente.',
  'Join them in a campaign': 'Unirlos en una campaña',
  'It answers calls to its numbers, and calls lists of contacts.':
    'Atiende llamadas a sus números y llama a listas de contactos.',
  'Connect a trunk': 'Conectar una troncal',
  'The account at your telephone provider, or your own exchange.':
    'La cuenta de su operador telefónico o su propia centralita.',
  'To the trunks': 'A las troncales',
  'Get a number': 'Conseguir un número',
  'Give it to the campaign that is to answer it.': 'Asígnelo a la campaña que debe atenderlo.',
  'To the numbers': 'A los números',
  'Make the first call': 'Hacer la primera llamada',
  'Call the number, or place a call.': 'Llame al número o haga una llamada.',
  '(done)': '(hecho)',
  Today: 'Hoy',
  '7 days': '7 días',
  'The last 7 days': 'Los últimos 7 días',
  '30 days': '30 días',
  'The last 30 days': 'Los últimos 30 días',
  '90 days': '90 días',
  'The last 90 days': 'Los últimos 90 días',
  'After the first call you see here': 'Tras la primera llamada verá aquí',
  'Calls by day and hour': 'Llamadas por día y hora',
  'How many were answered, by the agent or a machine, and how many were not.':
    'Cuántas se atendieron, por el agente o un contestador, y cuántas no.',
  Waits: 'Esperas',
  'How long callers waited for each answer: half of the calls, and 95 in 100.':
    'Cuánto esperaron por cada respuesta: en la mitad de las llamadas y en 95 de cada 100.',
  'From answer to end, by day; from the second day each figure beside the day before.':
    'Desde que se atiende hasta el final, por día; desde el segundo día, cada cifra junto a la del día anterior.',
  'today {now}, yesterday {before}': 'hoy {now}, ayer {before}',
  'Live calls': 'Llamadas en curso',
  'Live calls, {maxCalls} at most': 'Llamadas en curso, {maxCalls} como máximo',
  Answered: 'Atendidas',
  'Wait, half / 95 in 100 within': 'Espera, mitad / 95 de 100 en',
  'Turns failed, last hour': 'Respuestas fallidas, última hora',
  Failed: 'Fallidas',
  'Live now': 'Ahora en directo',
  'All live calls': 'Todas las llamadas en curso',
  'Why calls failed': 'Por qué fallaron llamadas',
  Unknown: 'Desconocido',
  'Latest failures': 'Últimos fallos',
  'Calls by day': 'Llamadas por día',
  'Answering machine': 'Contestador',
  'Not answered': 'No atendidas',
  'How long callers waited for an answer, in ms': 'Cuánto se esperó una respuesta, en ms',
  'How long callers waited for an answer, by day': 'Cuánto se esperó una respuesta, por día',
  'Half of the calls within': 'Mitad de las llamadas en',
  '95 in 100 calls within': '95 de 100 llamadas en',
  'People notice a wait from about {ms} ms.': 'La espera se nota a partir de unos {ms} ms.',
  'Minutes by day': 'Minutos por día',
  'From answer to end': 'Desde que se atiende hasta el final',
  'When people call': 'Cuándo se llama',
  'No call of these days has ended yet.': 'Ninguna llamada de estos días ha terminado.',
  'When people call, by hour': 'Cuándo se llama, por hora',
  Hour: 'Hora',
  'Of the last {count} calls.': 'De las últimas {count} llamadas.',
  'Calls that run now. Open one to read along, or listen in, say a word, take it over.':
    'Llamadas en curso. Abra una para leerla, escucharla, decir algo o hacerse cargo.',
  'Running calls': 'Llamadas en curso',
  'Nobody is on the line': 'No hay nadie en línea',
  'Calls appear here by themselves as soon as they ring.': 'Las llamadas aparecen aquí solas en cuanto suenan.',
  With: 'Con',
  Direction: 'Sentido',
  Inbound: 'Entrante',
  Outbound: 'Saliente',
  State: 'Estado',
  'Since it began': 'Desde el inicio',
  'This browser uses the microphone at its own rate only. Use another one to speak.':
    'Este navegador solo usa el micrófono a su propia frecuencia. Use otro para hablar.',
  'You may no longer listen: sign in again.': 'Ya no puede escuchar: vuelva a iniciar sesión.',
  'The line to the engine was lost.': 'Se perdió la conexión con la centralita.',
  'Listen in': 'Escuchar',
  Connecting: 'Conectando',
  'Above the caller, below the agent.': 'Arriba el llamante, abajo el agente.',
  'You talk to the caller, and the agent is silent.': 'Usted habla con el llamante y el agente calla.',
  'The agent hears you, the caller does not.': 'El agente le oye, el llamante no.',
  'Somebody else talks to the caller.': 'Otra persona habla con el llamante.',
  'The agent is muted.': 'El agente está silenciado.',
  'The recording is silence for now.': 'La grabación está en silencio por ahora.',
  'Stop whispering': 'Dejar de susurrar',
  'Whisper to the agent': 'Susurrar al agente',
  'Hand back to the agent': 'Devolver al agente',
  'Take over': 'Hacerse cargo',
  'Have the agent say': 'Hacer decir al agente',
  'In the agent’s voice, as soon as both are silent.': 'Con la voz del agente, en cuanto ambos callen.',
  'Say it': 'Decirlo',
  'Let the agent speak': 'Dejar hablar al agente',
  'Mute the agent': 'Silenciar al agente',
  'Record again': 'Volver a grabar',
  'Mask the recording': 'Ocultar la grabación',
  'Days are those of {zone}: there are too many calls for others.':
    'Los días son los de {zone}: hay demasiadas llamadas para otros.',
};
