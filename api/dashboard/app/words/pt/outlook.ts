// The words of ends of calls, with what to do in Portuguese, by their English ones.
export default {
  'an appointment': 'uma marcação',
  'the way to you': 'como chegar',
  'a complaint': 'uma reclamação',
  'appointment booked': 'marcação feita',
  'appointment moved': 'marcação mudada',
  'appointment cancelled': 'marcação cancelada',
  'appointment confirmed': 'marcação confirmada',
  'call back scheduled': 'chamada de volta agendada',
  'call back wanted': 'quer que lhe liguem',
  'put through': 'passada a uma pessoa',
  'no more calls wanted': 'não quer mais chamadas',
  'the agent failed': 'o agente falhou',
  'A machine answered; a message was left.': 'Atendeu um gravador; ficou uma mensagem.',
  'A machine answered.': 'Atendeu um gravador.',
  'The caller said nothing.': 'Quem ligou não disse nada.',
  'The caller spoke once.': 'Quem ligou falou uma vez.',
  'The agent failed, and the caller was left without an answer.': 'O agente falhou e quem ligou ficou sem resposta.',
  'The caller was put through to a person.': 'Quem ligou foi passado a uma pessoa.',
  'The caller asked to be called back.': 'Quem ligou pediu que lhe liguem.',
  'The person asked not to be called again.': 'A pessoa pediu para não lhe ligarem mais.',
  'The call was cut off by a fault of the service.': 'A chamada caiu por uma falha do serviço.',
  'Inbound call of {duration}.': 'Chamada de entrada de {duration}.',
  'Outbound call of {duration}.': 'Chamada de saída de {duration}.',
  'It was about: {topics}.': 'Tratou-se de: {topics}.',
  'The caller spoke {count} times.': 'Quem ligou falou {count} vezes.',
  'Booked: {service}, {time}.': 'Marcado: {service}, {time}.',
  'The call was not answered: {outcome}.': 'A chamada não foi atendida: {outcome}.',
  'An administrator checks user name and password of the trunk, under Trunks.':
    'Um administrador verifica utilizador e palavra-passe do trunk, em Trunks.',
  'Check the number: is it complete, with its country code?':
    'Verifique o número: está completo, com o indicativo do país?',
  'Try again later.': 'Tente mais tarde.',
  'The fault is the telephone provider’s. Try again in a few minutes, then ask the provider.':
    'A falha é do fornecedor de telefone. Tente daqui a alguns minutos; se continuar, pergunte-lhe.',
  'The person does not want the call now. Do not try again soon.': 'A pessoa não quer a chamada agora. Não insista já.',
  'Ask the telephone provider: the credit may be used up.':
    'Pergunte ao fornecedor de telefone: talvez o saldo tenha acabado.',
  'Ask the telephone provider whether it allows calls to this number, and with your number shown.':
    'Pergunte ao fornecedor se permite ligar para este número, mostrando o seu.',
  'The number is not in use any more. Take it out of your contacts.': 'O número já não existe. Retire-o dos contactos.',
  'An administrator adds a codec to the trunk, under Trunks.': 'Um administrador junta um codec ao trunk, em Trunks.',
  'A filter took the call for spam. Ask the telephone provider to vouch for your number.':
    'Um filtro tomou a chamada por spam. Peça ao fornecedor que garanta o seu número.',
  'An administrator checks that the firewall lets the sound through (RTP).':
    'Um administrador verifica se a firewall deixa passar o som (RTP).',
  'Try again. If it stays so, an administrator looks at Status.':
    'Tente de novo. Se continuar, um administrador vê em Estado.',
  'An administrator tests language model, recogniser and voice, under Models.':
    'Um administrador testa modelo de linguagem, reconhecimento e voz, em Modelos.',
  'Allow the microphone for this page in the browser, then try again.':
    'Permita o microfone para esta página no navegador e tente de novo.',
  'An administrator looks at Status: no call was taken for a while.':
    'Um administrador vê em Estado: durante algum tempo não se atendeu nenhuma chamada.',
  'Call again. The service has started anew by itself.': 'Ligue de novo. O serviço reiniciou sozinho.',
  'Call again once the service runs.': 'Ligue de novo quando o serviço estiver a funcionar.',
  'Try again. If it stays so, an administrator looks at the trunk, under Trunks.':
    'Tente de novo. Se continuar, um administrador vê o trunk, em Trunks.',
  'Ask the telephone provider why it refuses the call.': 'Pergunte ao fornecedor de telefone porque recusa a chamada.',
  'An administrator adds a trunk, under Trunks.': 'Um administrador junta um trunk, em Trunks.',
  'Try again when a call has ended, or have the operator allow more at a time.':
    'Tente quando uma chamada terminar, ou peça que permitam mais ao mesmo tempo.',
  'Resume the campaign, then call again.': 'Retome a campanha e ligue de novo.',
  'Take the number off the do-not-call list only if the person wants calls.':
    'Tire o número da lista de não ligar só se a pessoa quiser chamadas.',
  'What to do': 'O que fazer',
  'The telephone provider did not put the call through': 'O fornecedor de telefone não passou a chamada',
  'The call does not say it.': 'A chamada não o diz.',
  'Without a language model this is not known.': 'Sem um modelo de linguagem não se sabe.',
};
