// The words of agents and versions in Spanish, by their English ones.
export default {
  'Talk to the agent': 'Hablar con el agente',
  Called: 'Llamado',
  Recipient: 'Destinatario',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Bastan un nombre y una voz. Todo lo demás tiene un valor predeterminado que sirve para casi todas las llamadas.',
  'Create the agent': 'Crear el agente',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Ninguna campaña podrá usarlo. Las llamadas que hizo conservan su nombre.',
  'Delete the agent': 'Eliminar el agente',
  'Talk to {name}': 'Hablar con {name}',
  Active: 'Activo',
  Inactive: 'Inactivo',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Este agente se eliminó el {time}. Se conserva porque hay llamadas que lo mencionan.',
  'Who it is': 'Quién es',
  'Callers hear it where a greeting says {{agentName}}.': 'Se oye donde un saludo dice {{agentName}}.',
  'For people only.': 'Solo para personas.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Como la voz. El reconocimiento la espera y se responde en ella.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Como la voz: {language}. El reconocimiento lo espera y se responde en él.',
  '{language}. Empty: as the voice.': '{language}. Vacío: como la voz.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Un agente inactivo no puede asignarse a una campaña ni empezar con ella. Las campañas en marcha siguen.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'En este orden, tras las de la campaña y las del negocio. Un modelo de lenguaje las usa por sí mismo.',
  'Where it speaks': 'Dónde habla',
  'In no campaign yet.': 'Todavía en ninguna campaña.',
  'Create one with this agent': 'Crear una con este agente',
  'All {total} campaigns of it': 'Sus {total} campañas',
  'Its {calls} calls': 'Sus {calls} llamadas',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Quién habla: un nombre, una voz y cómo se comporta al conversar.',
  'No agents yet': 'Todavía no hay agentes',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Un agente da voz a una campaña. Lo que sabe viene de un negocio.',
  'Taking turns': 'Turnos de palabra',
  'Who speaks first': 'Quién habla primero',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Por defecto el agente, enseguida; a quien llamamos se le dan 1,2 s para saludar.',
  'Default (auto)': 'Predeterminado (automático)',
  Auto: 'Automático',
  'The agent, at once': 'El agente, enseguida',
  'The other side; the agent waits': 'La otra parte; el agente espera',
  Responsiveness: 'Rapidez de respuesta',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Cuándo se da por terminado un turno: 0 espera 1,4 veces lo habitual; 1, solo 0,6. Más alto responde antes e interrumpe más. Sin efecto si el negocio fija su propio silencio.',
  Patient: 'Paciente',
  Quick: 'Rápido',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Con qué facilidad se detiene al agente: 0 nunca, 1 con 120 ms de voz o una palabra. Una línea ruidosa pide menos.',
  'the business’s': 'el del negocio',
  'Speaks on': 'Sigue hablando',
  'Yields at once': 'Cede al instante',
  'Protect the greeting': 'Proteger el saludo',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'Se dice hasta el final diga lo que diga quien llama: para avisos legales.',
  'Default (yes)': 'Predeterminado (sí)',
  'Default (no)': 'Predeterminado (no)',
  'Silence before a reminder, in seconds': 'Silencio antes de un aviso, en segundos',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Antes de «¿Sigue ahí?» y antes de la despedida. Predeterminado 8',
  'Reminders before the goodbye': 'Avisos antes de la despedida',
  '{reminders}. Default 2': '{reminders}. Predeterminado 2',
  Words: 'Palabras',
  Keywords: 'Palabras clave',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Nombres y términos que el reconocimiento debe esperar, además de los servicios y preguntas del negocio.',
  'Invisalign, Dr Okafor': 'Invisalign, Dra. García',
  'After a lost line': 'Tras perder la línea',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Se dice cuando una llamada sigue tras perder la línea un momento. Predeterminado: «Perdone, le perdí un momento. ¿Decía?» en el idioma del agente',
  'As the language has it': 'Como en el idioma',
  'Numbers in groups': 'Números por grupos',
  'After each group of a number or a spelling, while more of it is to come.':
    'Tras cada grupo de un número o deletreo, mientras falte algo.',
  'Default (a word)': 'Predeterminado (una palabra)',
  'A word: "Okay"': 'Una palabra: «Vale»',
  'The group, repeated': 'El grupo, repetido',
  Nothing: 'Nada',
  'Backchannel words': 'Palabras de asentimiento',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Solo animan y nunca detienen al agente, además de las habituales del idioma.',
  'right, go on': 'claro, siga',
  Pronunciations: 'Pronunciaciones',
  'What the voice says in place of a word. The transcript keeps the word.':
    'Lo que la voz dice en lugar de una palabra. La transcripción conserva la palabra.',
  pronunciation: 'pronunciación',
  'Add a pronunciation': 'Añadir una pronunciación',
  Said: 'Se dice',
  'The built-in receptionist has no model: these have no effect on it.':
    'La recepción integrada no tiene modelo: esto no le afecta.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Otro modelo del servidor configurado, para este agente. Predeterminado: OPENAI_MODEL del servicio',
  'As the service': 'Como el servicio',
  Temperature: 'Temperatura',
  'Lower is more alike from call to call, higher more varied.':
    'Más baja, más igual entre llamadas; más alta, más variada.',
  Alike: 'Igual',
  Varied: 'Variado',
  'Wait for the first word (ms)': 'Esperar la primera palabra (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, desde el final del turno del llamante; después, el turno ha fallado. Predeterminado: como el servicio, 8000',
  "Prepare replies while a turn's end is uncertain": 'Preparar respuestas mientras el final del turno es incierto',
  'Quicker answers, about a third more requests to the model.':
    'Respuestas más rápidas, cerca de un tercio más de solicitudes al modelo.',
  'Answer with the speech-to-speech model': 'Responder con el modelo de voz a voz',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Si el servicio tiene uno. No: responden reconocimiento, modelo de lenguaje y voz.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Otro modelo del mismo proveedor, para este agente. Predeterminado: el del servicio',
  'Its voice': 'Su voz',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Por el nombre del proveedor. El saludo sigue en la voz del agente. Predeterminado: la del servicio',
  'Further languages': 'Más idiomas',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Una llamada sigue en uno de ellos cuando se pide, se pulsa su tecla o se oye hablarlo: cambian reconocimiento, voz y respuestas. Su saludo debería decirlo: «For English, press 2.»',
  'Additional languages': 'Idiomas adicionales',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'Como códigos: en, fr-CA. Inglés, alemán, español, francés, italiano, portugués, neerlandés; en otros, un modelo de lenguaje puede responder igualmente.',
  'Key that leads back to {own}': 'Tecla que vuelve a {own}',
  Key: 'Tecla',
  'Voice of the speech-to-speech model': 'Voz del modelo de voz a voz',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Por el nombre del proveedor, si el servicio tiene ese modelo. Predeterminado: la del agente',
  'As the agent': 'Como el agente',
  'Names and terms': 'Nombres y términos',
  'What the recogniser should expect in it.': 'Lo que el reconocimiento debe esperar en él.',
  'The agent’s, or one that speaks it': 'La del agente, o una que lo hable',
  '{voiceId}, no longer offered': '{voiceId}, ya no se ofrece',
  'Saved. It takes effect on the next call.': 'Guardado. Vale desde la próxima llamada.',
  'Saved as a draft. Publish it on the tab Versions.': 'Guardado como borrador. Publíquelo en Versiones.',
  'Stop version {version}?': '¿Detener la versión {version}?',
  'All calls obey the published version again. The draft stays.':
    'Todas las llamadas siguen de nuevo la versión publicada. El borrador queda.',
  'Stop it': 'Detenerla',
  Stopped: 'Detenida',
  'Version {version} leads {share} % of the calls': 'La versión {version} lleva el {share} % de las llamadas',
  'Version {version} was as good, and is published': 'La versión {version} fue igual de buena y está publicada',
  'Version {version} was worse, and has gone back': 'La versión {version} fue peor y se ha retirado',
  'Version {version} was tried, and stopped': 'La versión {version} se probó y se detuvo',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    'Han terminado {ended} de {calls} llamadas, y {others} con la versión {version}. Se publica cuando terminen todas y se retira sola si son peores.',
  'after {count} of its calls.': 'tras {count} de sus llamadas.',
  'Calls that failed': 'Llamadas fallidas',
  'Put through to a person': 'Pasadas a una persona',
  'Hung up within 20 s': 'Colgadas en 20 s',
  'Answers after': 'Responde tras',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure}: {canary} ({calls} llamadas), con la versión publicada {published} ({others} llamadas).',
  'in another order': 'en otro orden',
  nothing: 'nada',
  yes: 'sí',
  no: 'no',
  'Changes wait until they are published': 'Los cambios esperan hasta publicarse',
  'Changes count from the next call on': 'Los cambios valen desde la próxima llamada',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'Los del negocio, de los agentes de sus campañas y de sus herramientas. Los documentos y la música de espera valen al momento.',
  none: 'ninguna',
  '{count} answered': '{count} atendidas',
  'answers after {time}': 'responde tras {time}',
  '({low} to {high})': '(de {low} a {high})',
  'put through to a person': 'pasadas a una persona',
  'hung up within 20 s': 'colgadas en 20 s',
  failed: 'fallidas',
  'Bring back version {number}?': '¿Recuperar la versión {number}?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Vuelve a ser lo que era, desde la próxima llamada, o como borrador si los cambios esperan. Lo de ahora queda en esta lista.',
  'Bring it back': 'Recuperarla',
  'Version {number} is back': 'La versión {number} ha vuelto',
  Version: 'Versión',
  Now: 'Ahora',
  Draft: 'Borrador',
  'What changed': 'Qué cambió',
  'Version {restoredFrom} brought back': 'Versión {restoredFrom} recuperada',
  'The first that is kept': 'La primera que se guarda',
  'Bring back version {number}': 'Recuperar la versión {number}',
  'Bring back': 'Recuperar',
  'Publish what waits?': '¿Publicar lo que espera?',
  'The next call obeys it: {names}.': 'La próxima llamada lo sigue: {names}.',
  Publish: 'Publicar',
  Published: 'Publicado',
  Discarded: 'Descartado',
  'Discard what waits?': '¿Descartar lo que espera?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Vuelve a ser lo que ahora siguen las llamadas: {names}. Las versiones quedan en la lista.',
  'Waiting to be published': 'A la espera de publicarse',
  'version {version}, calls obey {published}': 'versión {version}, las llamadas siguen la {published}',
  'Values of headers only': 'Solo valores de cabeceras',
  agent: 'agente',
  business: 'negocio',
  tool: 'herramienta',
  'Try it on {share} % of the calls first?': '¿Probarlo antes en el {share} % de las llamadas?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'El borrador lleva el {share} % de las llamadas, siempre las de los mismos números. Tras {calls} se publica, salvo que sean peores que las demás: entonces se retira solo.',
  'Try it': 'Probarlo',
  'It leads {share} % of the calls': 'Lleva el {share} % de las llamadas',
  'Try on {share} % first': 'Probar antes en el {share} %',
  'As it is stored': 'Tal como está guardado',
};
