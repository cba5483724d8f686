// The words of agents and versions in Portuguese, by their English ones.
export default {
  'Talk to the agent': 'Falar com o agente',
  Called: 'Número chamado',
  Recipient: 'Destinatário',
  'A name and a voice are enough. Everything else has a default that suits most calls.':
    'Bastam um nome e uma voz. Tudo o resto tem uma predefinição que serve para a maioria das chamadas.',
  'Create the agent': 'Criar o agente',
  'No campaign can use it any more. Calls that it has made keep its name.':
    'Nenhuma campanha o pode usar mais. As chamadas que fez mantêm o seu nome.',
  'Delete the agent': 'Eliminar o agente',
  'Talk to {name}': 'Falar com {name}',
  Active: 'Ativo',
  Inactive: 'Inativo',
  'This agent was deleted on {time}. It is kept because calls refer to it.':
    'Este agente foi eliminado a {time}. É guardado porque há chamadas que o referem.',
  'Who it is': 'Quem é',
  'Callers hear it where a greeting says {{agentName}}.': 'Ouve-se onde uma saudação diz {{agentName}}.',
  'For people only.': 'Só para pessoas.',
  'As the voice. The recogniser listens for it, and answers are given in it.':
    'Como a voz. O reconhecimento espera-a e as respostas são dadas nela.',
  'As the voice: {language}. The recogniser listens for it, and answers are given in it.':
    'Como a voz: {language}. O reconhecimento espera-a e as respostas são dadas nela.',
  '{language}. Empty: as the voice.': '{language}. Vazio: como a voz.',
  'An inactive agent cannot be named by a campaign, or start with it. Running campaigns go on.':
    'Um agente inativo não pode ser escolhido por uma campanha nem começar com ela. As campanhas em curso continuam.',
  'In this order, after those of the campaign and of the business. A language model uses them by itself.':
    'Por esta ordem, depois das da campanha e do negócio. Um modelo de linguagem usa-as por si.',
  'Where it speaks': 'Onde fala',
  'In no campaign yet.': 'Ainda em nenhuma campanha.',
  'Create one with this agent': 'Criar uma com este agente',
  'All {total} campaigns of it': 'Todas as suas {total} campanhas',
  'Its {calls} calls': 'As suas {calls} chamadas',
  'Who speaks: a name, a voice, and how it behaves in conversation.':
    'Quem fala: um nome, uma voz e como se comporta na conversa.',
  'No agents yet': 'Ainda não há agentes',
  'An agent gives a campaign its voice. What it knows comes from a business.':
    'Um agente dá voz a uma campanha. O que sabe vem de um negócio.',
  'Taking turns': 'Tomar a vez',
  'Who speaks first': 'Quem fala primeiro',
  'By default the agent, at once; a person whom we call is given 1.2 s to say hello.':
    'Por omissão o agente, logo; a quem ligamos dão-se 1,2 s para dizer está.',
  'Default (auto)': 'Predefinição (automático)',
  Auto: 'Automático',
  'The agent, at once': 'O agente, logo',
  'The other side; the agent waits': 'A outra parte; o agente espera',
  Responsiveness: 'Rapidez de resposta',
  'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Higher answers sooner, and cuts in more often. No effect where the business sets a silence of its own.':
    'Quando uma frase conta como acabada: 0 espera 1,4 vezes o habitual, 1 só 0,6. Mais alto responde mais cedo e interrompe mais. Sem efeito se o negócio definir um silêncio próprio.',
  Patient: 'Paciente',
  Quick: 'Rápido',
  'How easily a caller stops the agent: 0 never, 1 at 120 ms of voice or one word. A noisy line wants less.':
    'Com que facilidade se para o agente: 0 nunca, 1 com 120 ms de voz ou uma palavra. Uma linha ruidosa pede menos.',
  'the business’s': 'a do negócio',
  'Speaks on': 'Continua a falar',
  'Yields at once': 'Cede logo',
  'Protect the greeting': 'Proteger a saudação',
  'It is spoken to its end whatever the caller says: for notices that the law wants.':
    'É dita até ao fim, diga quem liga o que disser: para avisos legais.',
  'Default (yes)': 'Predefinição (sim)',
  'Default (no)': 'Predefinição (não)',
  'Silence before a reminder, in seconds': 'Silêncio antes de um lembrete, em segundos',
  '{reminderSeconds}. Before "Are you still there?", and before the goodbye. Default 8':
    '{reminderSeconds}. Antes de «Ainda está aí?» e antes da despedida. Predefinição 8',
  'Reminders before the goodbye': 'Lembretes antes da despedida',
  '{reminders}. Default 2': '{reminders}. Predefinição 2',
  Words: 'Palavras',
  Keywords: 'Palavras-chave',
  "Names and terms that the recogniser should expect, beside the business's services and questions.":
    'Nomes e termos que o reconhecimento deve esperar, além dos serviços e perguntas do negócio.',
  'Invisalign, Dr Okafor': 'Invisalign, Dr. Silva',
  'After a lost line': 'Após perder a linha',
  'Said when a call goes on after the line was lost for a moment. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language':
    'Diz-se quando uma chamada continua após perder a linha por um momento. Predefinição: «Desculpe, perdi-o por um momento. Dizia?» na língua do agente',
  'As the language has it': 'Como na língua',
  'Numbers in groups': 'Números em grupos',
  'After each group of a number or a spelling, while more of it is to come.':
    'Após cada grupo de um número ou soletração, enquanto faltar.',
  'Default (a word)': 'Predefinição (uma palavra)',
  'A word: "Okay"': 'Uma palavra: «Certo»',
  'The group, repeated': 'O grupo, repetido',
  Nothing: 'Nada',
  'Backchannel words': 'Palavras de assentimento',
  'They only encourage and never stop the agent, beside the usual ones of the language.':
    'Só encorajam e nunca param o agente, além das habituais da língua.',
  'right, go on': 'certo, continue',
  Pronunciations: 'Pronúncias',
  'What the voice says in place of a word. The transcript keeps the word.':
    'O que a voz diz em vez de uma palavra. A transcrição mantém a palavra.',
  pronunciation: 'pronúncia',
  'Add a pronunciation': 'Acrescentar uma pronúncia',
  Said: 'Dito',
  'The built-in receptionist has no model: these have no effect on it.':
    'A receção incorporada não tem modelo: isto não a afeta.',
  'Another model of the configured server, for this agent. Default: OPENAI_MODEL of the service':
    'Outro modelo do servidor configurado, para este agente. Predefinição: OPENAI_MODEL do serviço',
  'As the service': 'Como o serviço',
  Temperature: 'Temperatura',
  'Lower is more alike from call to call, higher more varied.':
    'Mais baixa, mais igual de chamada em chamada; mais alta, mais variada.',
  Alike: 'Igual',
  Varied: 'Variado',
  'Wait for the first word (ms)': 'Esperar pela primeira palavra (ms)',
  "{modelTimeoutMs}, from the end of the caller's turn; then the turn has failed. Default: as the service, 8000":
    '{modelTimeoutMs}, a partir do fim da frase de quem liga; depois a resposta falhou. Predefinição: como o serviço, 8000',
  "Prepare replies while a turn's end is uncertain": 'Preparar respostas enquanto o fim da frase é incerto',
  'Quicker answers, about a third more requests to the model.':
    'Respostas mais rápidas, cerca de um terço mais de pedidos ao modelo.',
  'Answer with the speech-to-speech model': 'Responder com o modelo de voz para voz',
  'Where the service has one. No: recogniser, language model and voice answer.':
    'Se o serviço tiver um. Não: respondem reconhecimento, modelo de linguagem e voz.',
  "Another model of the same vendor, for this agent. Default: the service's":
    'Outro modelo do mesmo fornecedor, para este agente. Predefinição: o do serviço',
  'Its voice': 'A sua voz',
  "By the vendor's name. The greeting stays in the agent's own voice. Default: the service's":
    'Pelo nome do fornecedor. A saudação fica na voz do agente. Predefinição: a do serviço',
  'Further languages': 'Outras línguas',
  'A call goes on in one of them once the caller asks for it, presses its key, or is heard to speak it: recogniser, voice and answers change. Your greeting should say so: “Für Deutsch drücken Sie die 2.”':
    'Uma chamada continua numa delas quando é pedida, se prime a sua tecla ou se ouve falá-la: mudam reconhecimento, voz e respostas. A sua saudação deve dizê-lo: «For English, press 2.»',
  'Additional languages': 'Línguas adicionais',
  'As codes: de, fr-CA. English, German, Spanish, French, Italian, Portuguese, Dutch; in others a language model may answer all the same.':
    'Como códigos: en, fr-CA. Inglês, alemão, espanhol, francês, italiano, português, neerlandês; noutras um modelo de linguagem pode responder na mesma.',
  'Key that leads back to {own}': 'Tecla que volta a {own}',
  Key: 'Tecla',
  'Voice of the speech-to-speech model': 'Voz do modelo de voz para voz',
  "By the vendor's name, where the service has such a model. Default: the agent's":
    'Pelo nome do fornecedor, se o serviço tiver esse modelo. Predefinição: a do agente',
  'As the agent': 'Como o agente',
  'Names and terms': 'Nomes e termos',
  'What the recogniser should expect in it.': 'O que o reconhecimento deve esperar nela.',
  'The agent’s, or one that speaks it': 'A do agente, ou uma que a fale',
  '{voiceId}, no longer offered': '{voiceId}, já não disponível',
  'Saved. It takes effect on the next call.': 'Guardado. Vale a partir da próxima chamada.',
  'Saved as a draft. Publish it on the tab Versions.': 'Guardado como rascunho. Publique-o em Versões.',
  'Stop version {version}?': 'Parar a versão {version}?',
  'All calls obey the published version again. The draft stays.':
    'Todas as chamadas seguem de novo a versão publicada. O rascunho fica.',
  'Stop it': 'Parar',
  Stopped: 'Parada',
  'Version {version} leads {share} % of the calls': 'A versão {version} conduz {share} % das chamadas',
  'Version {version} was as good, and is published': 'A versão {version} foi tão boa e está publicada',
  'Version {version} was worse, and has gone back': 'A versão {version} foi pior e foi retirada',
  'Version {version} was tried, and stopped': 'A versão {version} foi experimentada e parada',
  '{ended} of {calls} calls have ended, and {others} with version {version}. It is published when all have, and goes back by itself when they are worse.':
    'Terminaram {ended} de {calls} chamadas, e {others} com a versão {version}. É publicada quando todas terminarem e retira-se sozinha se forem piores.',
  'after {count} of its calls.': 'após {count} das suas chamadas.',
  'Calls that failed': 'Chamadas falhadas',
  'Put through to a person': 'Passadas a uma pessoa',
  'Hung up within 20 s': 'Desligadas em 20 s',
  'Answers after': 'Responde após',
  '{measure}: {canary} ({calls} calls), with the published version {published} ({others} calls).':
    '{measure}: {canary} ({calls} chamadas), com a versão publicada {published} ({others} chamadas).',
  'in another order': 'por outra ordem',
  nothing: 'nada',
  yes: 'sim',
  no: 'não',
  'Changes wait until they are published': 'As alterações esperam até serem publicadas',
  'Changes count from the next call on': 'As alterações valem a partir da próxima chamada',
  'Those of the business, of the agents of its campaigns and of their tools. Documents and hold music count at once.':
    'As do negócio, dos agentes das suas campanhas e das suas ferramentas. Documentos e música de espera valem logo.',
  none: 'nenhuma',
  '{count} answered': '{count} atendidas',
  'answers after {time}': 'responde após {time}',
  '({low} to {high})': '({low} a {high})',
  'put through to a person': 'passadas a uma pessoa',
  'hung up within 20 s': 'desligadas em 20 s',
  failed: 'falhadas',
  'Bring back version {number}?': 'Recuperar a versão {number}?',
  'It becomes what it was then, from the next call on, or as a draft where changes wait. What is there now stays in this list.':
    'Volta a ser o que era, a partir da próxima chamada, ou como rascunho onde as alterações esperam. O que há agora fica nesta lista.',
  'Bring it back': 'Recuperar',
  'Version {number} is back': 'A versão {number} voltou',
  Version: 'Versão',
  Now: 'Agora',
  Draft: 'Rascunho',
  'What changed': 'O que mudou',
  'Version {restoredFrom} brought back': 'Versão {restoredFrom} recuperada',
  'The first that is kept': 'A primeira que se guarda',
  'Bring back version {number}': 'Recuperar a versão {number}',
  'Bring back': 'Recuperar',
  'Publish what waits?': 'Publicar o que espera?',
  'The next call obeys it: {names}.': 'A próxima chamada segue-o: {names}.',
  Publish: 'Publicar',
  Published: 'Publicado',
  Discarded: 'Descartado',
  'Discard what waits?': 'Descartar o que espera?',
  'It becomes again what calls obey now: {names}. The versions stay in the list.':
    'Volta a ser o que as chamadas seguem agora: {names}. As versões ficam na lista.',
  'Waiting to be published': 'À espera de publicação',
  'version {version}, calls obey {published}': 'versão {version}, as chamadas seguem a {published}',
  'Values of headers only': 'Só valores de cabeçalhos',
  agent: 'agente',
  business: 'negócio',
  tool: 'ferramenta',
  'Try it on {share} % of the calls first?': 'Experimentar antes em {share} % das chamadas?',
  'The draft leads {share} % of the calls, always those of the same numbers. After {calls} of them it is published, unless they are worse than the others: then it goes back by itself.':
    'O rascunho conduz {share} % das chamadas, sempre as dos mesmos números. Após {calls} é publicado, salvo se forem piores do que as outras: então retira-se sozinho.',
  'Try it': 'Experimentar',
  'It leads {share} % of the calls': 'Conduz {share} % das chamadas',
  'Try on {share} % first': 'Experimentar antes em {share} %',
  'As it is stored': 'Como está guardado',
};
