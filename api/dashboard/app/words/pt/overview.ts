// The words of the overview, and of live and browser calls, in Portuguese, by their English ones.
export default {
  'As a table': 'Como tabela',
  'Browsers give the microphone to secure pages only. Open this page with https://, or as http://localhost on the machine itself.':
    'Os navegadores só dão o microfone a páginas seguras. Abra esta página com https:// ou, na própria máquina, como http://localhost.',
  'The microphone was refused. Allow it for this page in the browser’s address bar, then try again.':
    'O microfone foi recusado. Permita-o para esta página na barra de endereço e tente de novo.',
  'No microphone was found. Connect one, then try again.':
    'Não foi encontrado nenhum microfone. Ligue um e tente de novo.',
  'The microphone is in use by another program. Close that program, then try again.':
    'Outro programa está a usar o microfone. Feche-o e tente de novo.',
  'The microphone could not be opened. Check it in the settings of the browser and the system.':
    'Não foi possível abrir o microfone. Verifique-o nas definições do navegador e do sistema.',
  'The engine’s audio socket at {host} cannot be reached from this browser. Behind a proxy, MEDIA_WS_PUBLIC_URL says where browsers find it.':
    'A ligação de áudio em {host} não está acessível a partir deste navegador. Atrás de um proxy, MEDIA_WS_PUBLIC_URL diz onde os navegadores a encontram.',
  Close: 'Fechar',
  'Billing shows when the minutes begin again, and offers a larger plan.':
    'Em Faturação vê quando os minutos recomeçam e encontra um plano maior.',
  'It may be starting: try again in a few seconds. Administrators see the cause under Status.':
    'Pode estar a arrancar: tente de novo daqui a alguns segundos. Os administradores veem a causa em Estado.',
  'Try again in a few seconds. Administrators see the cause under Status.':
    'Tente de novo daqui a alguns segundos. Os administradores veem a causa em Estado.',
  'Try again when one of the running calls has ended.': 'Tente de novo quando uma das chamadas em curso terminar.',
  'Resume the campaign first.': 'Retome primeiro a campanha.',
  'Choose a campaign that has not failed.': 'Escolha uma campanha que não tenha falhado.',
  'A call from this browser, answered as a phone call to the campaign would be.':
    'Uma chamada a partir deste navegador, atendida como um telefonema para a campanha.',
  'Try it by text': 'Experimentar por texto',
  'No campaigns yet': 'Ainda não há campanhas',
  'A campaign says which agent speaks, and for which business. Make one, then talk to it here.':
    'Uma campanha diz que agente fala e por que negócio. Crie uma e fale aqui com ele.',
  '{used} of {limit} minutes of this month are used; they begin again on {date}.':
    'Foram usados {used} de {limit} minutos deste mês; recomeçam a {date}.',
  'Without minutes no call is placed; callers are answered all the same.':
    'Sem minutos não se faz nenhuma chamada; quem liga é atendido na mesma.',
  'The webhook [{url}] was switched off: its address answered that it is gone.':
    'O webhook [{url}] foi desligado: o endereço respondeu que já não existe.',
  'The webhook [{url}] was switched off: it failed for five days.':
    'O webhook [{url}] foi desligado: falhou durante cinco dias.',
  'The trunk [{name}] does not answer: calls through it fail.':
    'O trunk [{name}] não responde: as chamadas por ele falham.',
  'The trunk [{name}] could not be registered: calls through it fail.':
    'O trunk [{name}] não se conseguiu registar: as chamadas por ele falham.',
  'First steps': 'Primeiros passos',
  'Do not show again': 'Não mostrar mais',
  'Give the address of your web site: hours, prices and answers are read from it, you choose a voice, and talk to your agent. About five minutes.':
    'Indique o endereço do seu site: horários, preços e respostas são lidos dele, escolhe uma voz e fala com o seu agente. Cerca de cinco minutos.',
  'Go on with the set-up': 'Continuar a configuração',
  'Talk to the demo': 'Falar com a demonstração',
  'Hear the demo answer': 'Ouvir a demonstração atender',
  'From this browser: ask for the opening hours, interrupt it, book an appointment.':
    'A partir deste navegador: pergunte pelo horário, interrompa-o, marque uma hora.',
  'Make an agent': 'Criar um agente',
  'A name, a voice and a manner.': 'Um nome, uma voz e uma maneira de ser.',
  'Describe your business': 'Descrever o seu negócio',
  'Opening hours, services and questions: what the agent knows.': 'Horário, serviços e perguntas: o que o agente sabe.',
  'Join them in a campaign': 'Juntá-los numa campanha',
  'It answers calls to its numbers, and calls lists of contacts.':
    'Atende chamadas para os seus números e liga a listas de contactos.',
  'Connect a trunk': 'Ligar um trunk',
  'The account at your telephone provider, or your own exchange.':
    'A conta do seu operador telefónico ou a sua própria central.',
  'To the trunks': 'Para os trunks',
  'Get a number': 'Obter um número',
  'Give it to the campaign that is to answer it.': 'Dê-o à campanha que o deve atender.',
  'To the numbers': 'Para os números',
  'Make the first call': 'Fazer a primeira chamada',
  'Call the number, or place a call.': 'Ligue para o número ou faça uma chamada.',
  '(done)': '(feito)',
  Today: 'Hoje',
  'Today, in UTC': 'Hoje, em UTC',
  '7 days': '7 dias',
  'The last 7 days': 'Os últimos 7 dias',
  '30 days': '30 dias',
  'The last 30 days': 'Os últimos 30 dias',
  '90 days': '90 dias',
  'The last 90 days': 'Os últimos 90 dias',
  'After the first call you see here': 'Depois da primeira chamada verá aqui',
  'Calls by day and hour': 'Chamadas por dia e hora',
  'How many were answered, by the agent or a machine, and how many were not.':
    'Quantas foram atendidas, pelo agente ou por um gravador, e quantas não.',
  Waits: 'Esperas',
  'How long callers waited for each answer: half of the calls, and 95 in 100.':
    'Quanto se esperou por cada resposta: em metade das chamadas e em 95 de 100.',
  'From answer to end, by day; from the second day each figure beside the day before.':
    'Do atendimento ao fim, por dia; a partir do segundo dia, cada número ao lado do dia anterior.',
  'today {now}, yesterday {before}': 'hoje {now}, ontem {before}',
  'Live calls': 'Chamadas em curso',
  'Live calls, {maxCalls} at most': 'Chamadas em curso, no máximo {maxCalls}',
  Answered: 'Atendidas',
  'Wait, half / 95 in 100 within': 'Espera, metade / 95 de 100 em',
  'Turns failed, last hour': 'Respostas falhadas, última hora',
  Failed: 'Falhadas',
  'Live now': 'Agora em direto',
  'All live calls': 'Todas as chamadas em curso',
  'Why calls failed': 'Porque falharam chamadas',
  Unknown: 'Desconhecido',
  'Latest failures': 'Últimas falhas',
  'Calls by day': 'Chamadas por dia',
  'Answering machine': 'Atendedor',
  'Not answered': 'Não atendidas',
  'How long callers waited for an answer, in ms': 'Quanto se esperou por uma resposta, em ms',
  'How long callers waited for an answer, by day': 'Quanto se esperou por uma resposta, por dia',
  'Half of the calls within': 'Metade das chamadas em',
  '95 in 100 calls within': '95 de 100 chamadas em',
  'People notice a wait from about {ms} ms.': 'A espera nota-se a partir de cerca de {ms} ms.',
  'Minutes by day': 'Minutos por dia',
  'From answer to end': 'Do atendimento ao fim',
  'When people call': 'Quando as pessoas ligam',
  'No call of these days has ended yet.': 'Nenhuma chamada destes dias terminou ainda.',
  'When people call, by hour': 'Quando as pessoas ligam, por hora',
  Hour: 'Hora',
  'Of the last {count} calls.': 'Das últimas {count} chamadas.',
  'Calls that run now. Open one to read along, or listen in, say a word, take it over.':
    'Chamadas em curso. Abra uma para a ler, ouvir, dizer algo ou assumir.',
  'Running calls': 'Chamadas em curso',
  'Nobody is on the line': 'Não há ninguém em linha',
  'Calls appear here by themselves as soon as they ring.': 'As chamadas aparecem aqui sozinhas assim que tocam.',
  With: 'Com',
  Direction: 'Sentido',
  Inbound: 'Recebida',
  Outbound: 'Efetuada',
  State: 'Estado',
  'Since it began': 'Desde o início',
  'This browser uses the microphone at its own rate only. Use another one to speak.':
    'Este navegador só usa o microfone à sua própria frequência. Use outro para falar.',
  'You may no longer listen: sign in again.': 'Já não pode ouvir: inicie sessão de novo.',
  'The line to the engine was lost.': 'Perdeu-se a ligação à central.',
  'Listen in': 'Ouvir em direto',
  Connecting: 'A ligar',
  'Above the caller, below the agent.': 'Em cima quem liga, em baixo o agente.',
  'You talk to the caller, and the agent is silent.': 'Fala com quem liga e o agente cala-se.',
  'The agent hears you, the caller does not.': 'O agente ouve-o, quem liga não.',
  'Somebody else talks to the caller.': 'Outra pessoa fala com quem liga.',
  'The agent is muted.': 'O agente está sem som.',
  'The recording is silence for now.': 'A gravação está em silêncio por agora.',
  'Stop whispering': 'Deixar de sussurrar',
  'Whisper to the agent': 'Sussurrar ao agente',
  'Hand back to the agent': 'Devolver ao agente',
  'Take over': 'Assumir',
  'Have the agent say': 'Fazer o agente dizer',
  'In the agent’s voice, as soon as both are silent.': 'Com a voz do agente, assim que ambos se calarem.',
  'Say it': 'Dizer',
  'Let the agent speak': 'Deixar o agente falar',
  'Mute the agent': 'Silenciar o agente',
  'Record again': 'Gravar de novo',
  'Mask the recording': 'Ocultar a gravação',
};
