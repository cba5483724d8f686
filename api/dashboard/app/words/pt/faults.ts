// The words of errors, with what to do in Portuguese, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'Já não tem sessão iniciada. Inicie sessão de novo.',
  'It has been deleted. Choose another one.': 'Foi eliminado. Escolha outro.',
  'This number is no longer on offer. Search again, and choose another.':
    'Este número já não está disponível. Procure de novo e escolha outro.',
  'You have as many as an account may have. Delete one first.': 'Já tem o máximo de uma conta. Elimine um primeiro.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Há demasiado disto ao mesmo tempo. Tente de novo daqui a pouco.',
  'Too many attempts. Try again in some minutes.': 'Demasiadas tentativas. Tente de novo daqui a alguns minutos.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'De momento não se podem fazer chamadas. Tente de novo daqui a alguns segundos. Os administradores veem a causa em Estado.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Todas as linhas estão ocupadas. Tente de novo quando uma chamada terminar.',
  'The service is busy or starting anew. Try again in a moment.':
    'O serviço está ocupado ou a reiniciar. Tente de novo daqui a pouco.',
  'This link was used or has expired. Have a new one sent.': 'Este link já foi usado ou expirou. Peça um novo.',
  'The code is wrong, used or too old. Have a new one sent.': 'O código está errado, usado ou é antigo. Peça um novo.',
  'The password is wrong.': 'A palavra-passe está errada.',
  'The code is wrong. Take the one that the app shows now.': 'O código está errado. Use o que a app mostra agora.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'O código está errado ou é antigo. Use o que a app mostra agora ou inicie sessão de novo.',
  'The page could not be read. Check its address, or type the facts in.':
    'Não foi possível ler a página. Verifique o endereço ou escreva os dados.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'Não foi possível ler o documento. Verifique se abre e não tem palavra-passe.',
  'Nothing is sent to this address. It must be a public https address.':
    'Nada é enviado para este endereço. Tem de ser um endereço https público.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'O endereço não respondeu como deve. Verifique se o sistema funciona e responde 2xx.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'O e-mail ou a palavra-passe está errado. Tente de novo ou defina uma nova palavra-passe.',
  'The sign-in did not work. Begin it again.': 'O início de sessão falhou. Comece de novo.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'O seu papel não o permite. Peça a quem gere a conta.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'O seu e-mail ainda não está confirmado. Abra o link da mensagem que recebeu.',
  'Passwords are off here. Use the sign-in of your company.':
    'As palavras-passe estão desligadas aqui. Use o início de sessão da sua empresa.',
  'The sign-in was refused.': 'O início de sessão foi recusado.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Aqui as novas contas são por convite. Peça um a quem gere o serviço.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Já não existe ou é de outra conta. Volte à lista.',
  'The agent is switched off. Switch it on, or choose another.': 'O agente está desligado. Ligue-o ou escolha outro.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Uma campanha em curso usa este agente. Pause-a primeiro.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'A receção incorporada não aceita instruções. Faça-a dizer as suas palavras.',
  'Another appointment is at that time. Choose another time.': 'A essa hora já há outra marcação. Escolha outra hora.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'Quem gere o serviço ainda não configurou o acesso ao Google e à Microsoft.',
  'The call has not ended yet. End it first.': 'A chamada ainda não terminou. Termine-a primeiro.',
  'The call has ended already.': 'A chamada já terminou.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Ninguém atendeu ainda. Tente de novo quando atenderem.',
  'Somebody talks to the caller already.': 'Alguém já fala com quem ligou.',
  'The caller was put through to a person already.': 'Quem ligou já foi passado a uma pessoa.',
  'An answering machine has taken the call.': 'Um gravador atendeu a chamada.',
  'The campaign is running. Pause it first.': 'A campanha está em curso. Pause-a primeiro.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'A campanha terminou e já não liga a ninguém. Escolha outra.',
  'The campaign has no phone number. Give it one in its settings.':
    'A campanha não tem número. Dê-lhe um nas definições.',
  'The campaign is paused. Resume it first.': 'A campanha está em pausa. Retome-a primeiro.',
  'The campaign has changed meanwhile. Load the page again.': 'A campanha mudou entretanto. Carregue a página de novo.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Já se experimenta uma versão. Publique-a, descarte-a ou pare-a primeiro.',
  'Numbers of this carrier are in use. Release them first.': 'Há números desta operadora em uso. Liberte-os primeiro.',
  'There is no trunk at this carrier yet. Make it first.': 'Ainda não há trunk nesta operadora. Crie-o primeiro.',
  'The carrier refused it.': 'A operadora recusou.',
  'The carrier does not answer. Try again in a few minutes.':
    'A operadora não responde. Tente de novo daqui a alguns minutos.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Entretanto, outra pessoa alterou isto: {fields}. O que escreveu continua aqui. Guarde de novo para substituir a alteração dela, ou descarte a sua para a ver.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Alguém o alterou ao mesmo tempo. Carregue de novo e altere depois.',
  'The contact is being called. Wait until the call has ended.':
    'Estão a ligar ao contacto. Espere pelo fim da chamada.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Nenhum número da campanha pode enviar mensagens. Os da Twilio, Telnyx ou Plivo podem.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'Já existe uma conta com este e-mail. Inicie sessão ou defina uma nova palavra-passe.',
  'You do not listen to the call any more. Begin to listen again.': 'Já não está a escutar a chamada. Comece de novo.',
  'Nothing waits to be published.': 'Não há nada por publicar.',
  'The carrier could not reach this service. The operator sets its address.':
    'A operadora não conseguiria chegar a este serviço. Quem o gere define o endereço.',
  'Nothing can be paid here: no payment provider is set up.':
    'Aqui não se pode pagar: não há fornecedor de pagamentos.',
  'The call is not recorded.': 'A chamada não é gravada.',
  'The caller is keying in a secret number. Wait until that is done.':
    'Quem ligou está a marcar um número secreto. Espere que termine.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Outra campanha em curso usa este número. Pause-a ou escolha outro número.',
  'Somebody has this number already.': 'Alguém já tem este número.',
  'This number is not paid for. Check your card under Billing.':
    'Este número não está pago. Verifique o cartão em Faturação.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Este número está na lista de não ligar. Tire-o só se a pessoa quiser chamadas.',
  'The payment was declined. Use another card under Billing.':
    'O pagamento foi recusado. Use outro cartão em Faturação.',
  'An order for this number is under way already.': 'Já há um pedido em curso para este número.',
  'This number is being bought already. Wait a moment.': 'Este número já está a ser comprado. Espere um pouco.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Uma compra anterior está a terminar. Tente de novo daqui a um minuto.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'Tem o máximo que o plano permite. Elimine alguns ou escolha um plano maior.',
  'Calls are being read again already. Wait until that is done.':
    'As chamadas já estão a ser relidas. Espere que termine.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'Não se pode remover a si mesmo. Peça a outra pessoa da equipa.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'Quem gere o serviço definiu isto noutro lado: aqui não se altera.',
  'Another softphone has this user name. Choose another.':
    'Outro softphone tem este nome de utilizador. Escolha outro.',
  'You could not be called. Check the number, then try again.':
    'Não foi possível ligar-lhe. Verifique o número e tente de novo.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'Nem todos os testes obrigatórios passaram. Abra a última execução e corrija o que falhou.',
  'Tests are running already. Wait until they are done.': 'Já há testes em curso. Espere que terminem.',
  'The suite has no case yet. Add one first.': 'A série ainda não tem casos. Junte um primeiro.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Um agente, um negócio ou uma campanha usa esta ferramenta. Retire-a primeiro de lá.',
  'Another tool has this name. Choose another.': 'Outra ferramenta tem este nome. Escolha outro.',
  'The caller is being put through already.': 'Quem ligou já está a ser transferido.',
  'The file is too large. Split it, or make it smaller.': 'O ficheiro é demasiado grande. Divida-o ou reduza-o.',
  'This number may not be called from here. An administrator can allow its country.':
    'Não se pode ligar a este número daqui. Um administrador pode permitir o país.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Demasiadas palavras-passe erradas. Espere alguns minutos ou defina uma nova.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'O seu limite de mensagens ou de despesa foi atingido. Nada foi enviado.',
  'As many people listen as may. Try again when one has stopped.':
    'Já escuta o máximo de pessoas. Tente de novo quando alguém parar.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'Os minutos do seu plano acabaram. Faturação mostra quando recomeçam.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Este destinatário recebeu dez mensagens numa hora. Tente mais tarde.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'Os minutos de saída desta hora ou dia acabaram. Um administrador pode permitir mais.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Algo falhou no serviço. Tente de novo; se continuar, dê a quem o gere o número abaixo.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Gravações e documentos não estão acessíveis agora. Tente daqui a alguns minutos.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'O início de sessão da sua empresa não responde. Tente daqui a alguns minutos.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'O modelo de linguagem não deu uma resposta útil. Tente de novo. Os administradores testam-no em Modelos.',
  'The test took too long. Try again.': 'O teste demorou demasiado. Tente de novo.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'Não há trunk para ligar. Um administrador junta um em Trunks.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'O fornecedor de telefone não responde. Os administradores veem a causa em Trunks.',
  'The payment could not be made now. Try again in a few minutes.':
    'O pagamento não foi possível agora. Tente daqui a alguns minutos.',
  'The voice could not be played. Try again in a moment.': 'Não foi possível tocar a voz. Tente daqui a pouco.',
  'This is not there any more: choose another one.': 'Já não existe: escolha outro.',
  'Please fill this in.': 'Preencha este campo.',
  'Write a whole address, which begins with https://': 'Escreva o endereço completo, que começa por https://',
  'Write a whole e-mail address.': 'Escreva o endereço de e-mail completo.',
  'Choose a date and a time.': 'Escolha data e hora.',
  'Choose a date.': 'Escolha uma data.',
  'Choose a time zone of the list.': 'Escolha um fuso horário da lista.',
  'Choose a time that is still to come.': 'Escolha uma hora futura.',
  'Choose a time that has passed.': 'Escolha uma hora passada.',
  'Choose two different times.': 'Escolha duas horas diferentes.',
  'Three letters, as EUR, USD or GBP.': 'Três letras, como EUR, USD ou GBP.',
  'At most two decimals.': 'No máximo duas casas decimais.',
  'This is not right yet.': 'Isto ainda não está certo.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Escreva o número com o indicativo do país, como +351 210 123 456.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Aqui não se pode ligar para este número. Um administrador pode permitir o país.',
  'At least {number} characters.': 'Pelo menos {number} caracteres.',
  'At most {number} characters.': 'No máximo {number} caracteres.',
  'At least {number} of them.': 'Pelo menos {number}.',
  'At most {number} of them.': 'No máximo {number}.',
  '{number} or more.': '{number} ou mais.',
  '{number} or less.': '{number} ou menos.',
  'More than {number}.': 'Mais de {number}.',
  'Less than {number}.': 'Menos de {number}.',
  'There is no softphone of this name.': 'Não há nenhum softphone com esse nome.',
};
