// The words of settings and billing in Portuguese, by their English ones.
export default {
  'Shown in the mails that invite people': 'Aparece nos e-mails de convite',
  'Your monthly minutes are counted in it. Businesses and campaigns have their own.':
    'Os seus minutos mensais contam-se nele. Negócios e campanhas têm o seu.',
  'Default campaign': 'Campanha predefinida',
  'It answers calls to numbers that serve no campaign': 'Atende chamadas para números sem campanha',
  'None: such calls are refused': 'Nenhuma: essas chamadas são recusadas',
  'Keep calls for … days': 'Guardar chamadas … dias',
  'From the next night on, calls that began longer ago are erased, with recording and transcript. This cannot be undone.':
    'A partir da próxima noite, as chamadas mais antigas são apagadas, com gravação e transcrição. Não pode ser desfeito.',
  'Older calls are erased every night, with recording and transcript. Empty: they are kept.':
    'As chamadas mais antigas são apagadas todas as noites, com gravação e transcrição. Vazio: ficam guardadas.',
  Plan: 'Plano',
  Account: 'Conta',
  'Your password is changed. All other sessions have ended.':
    'A sua palavra-passe foi alterada. Todas as outras sessões terminaram.',
  'Change the password': 'Alterar a palavra-passe',
  'Forgot the old one?': 'Esqueceu a antiga?',
  'Old password': 'Palavra-passe antiga',
  '12 characters or more. All other sessions end; API keys stay.':
    '12 caracteres ou mais. Todas as outras sessões terminam; as chaves de API ficam.',
  'Your recovery codes': 'Os seus códigos de recuperação',
  'Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.':
    'Cada um permite entrar uma vez se perder o telefone. Só são mostrados desta vez: guarde-os num lugar seguro.',
  'Recovery codes': 'Códigos de recuperação',
  'I have saved them': 'Já os guardei',
  'Two-factor sign-in is off': 'A entrada em dois passos está desligada',
  On: 'Ligado',
  'Two-factor sign-in': 'Entrada em dois passos',
  'Signing in takes the password and a code of your authenticator app.':
    'Para entrar são precisos a palavra-passe e um código da sua app de autenticação.',
  'Beside the password, a code of an authenticator app on your phone: a password that leaks is then not enough.':
    'Além da palavra-passe, um código de uma app no telefone: assim uma palavra-passe exposta não chega.',
  'Switch it off': 'Desligar',
  'Set it up': 'Configurar',
  'Switch it on': 'Ligar',
  'Scan this with your authenticator app, or type the secret into it.':
    'Leia isto com a sua app de autenticação ou escreva o segredo.',
  'QR code of the secret below': 'Código QR do segredo abaixo',
  'Six digits that the app shows now': 'Seis algarismos que a app mostra agora',
  'Signing in then takes the password alone. The recovery codes stop working.':
    'Então basta a palavra-passe. Os códigos de recuperação deixam de valer.',
  'From the app, or a recovery code': 'Da app, ou um código de recuperação',
  'Ended the session': 'Sessão terminada',
  'End all other sessions?': 'Terminar todas as outras sessões?',
  'Every other browser and program that is signed in as you must sign in again. API keys stay.':
    'Qualquer outro navegador ou programa com a sua sessão tem de entrar de novo. As chaves de API ficam.',
  'End all others': 'Terminar todas as outras',
  'Ended one session': 'Uma sessão terminada',
  'Ended {count} sessions': '{count} sessões terminadas',
  Sessions: 'Sessões',
  'Where you are signed in. A session that is not used for a week ends by itself.':
    'Onde tem sessão iniciada. Uma sessão sem uso durante uma semana termina sozinha.',
  Device: 'Dispositivo',
  'This one': 'Este',
  'Signed in': 'Sessão iniciada',
  'Identity provider': 'Fornecedor de identidade',
  'Last used': 'Último uso',
  'End this session': 'Terminar esta sessão',
  'End this session: {device}, {address}': 'Terminar esta sessão: {device}, {address}',
  'unknown address': 'endereço desconhecido',
  Team: 'Equipa',
  Security: 'Segurança',
  'A mail with the link is on its way to {email}': 'Um e-mail com a ligação vai a caminho de {email}',
  'Remove {email}?': 'Remover {email}?',
  'Their sessions and API keys end at once. What they have set up stays.':
    'As sessões e chaves de API terminam logo. O que configurou fica.',
  '{email} is removed': '{email} foi removido',
  Invite: 'Convidar',
  'Send the invitation': 'Enviar o convite',
  'No mail server is set: send this link to {email} yourself':
    'Não há servidor de correio: envie você esta ligação a {email}',
  'It sets the password, and is good for 7 days. With SMTP_URL the service sends it.':
    'Define a palavra-passe e vale 7 dias. Com SMTP_URL o serviço envia-a.',
  'A link sets the password; it is good for 7 days, and a new one ends the one before. Everyone in the account sees the same data, and can invite and remove others.':
    'Uma ligação define a palavra-passe; vale 7 dias e uma nova anula a anterior. Todos na conta veem os mesmos dados e podem convidar e remover outros.',
  '(you)': '(você)',
  Role: 'Função',
  Viewer: 'Só leitura',
  Operator: 'Operador',
  Member: 'Membro',
  Admin: 'Administrador',
  Invited: 'Convidado',
  'Two-factor': 'Dois passos',
  'New link for {email}': 'Nova ligação para {email}',
  'New link': 'Nova ligação',
  'Remove {email}': 'Remover {email}',
  'Costs of the calls': 'Custos das chamadas',
  'Minutes of this month': 'Minutos deste mês',
  'Minutes used': 'Minutos usados',
  'minutes used, without a limit': 'minutos usados, sem limite',
  'of {limit} minutes used': 'de {limit} minutos usados',
  'Counted from zero again on {time}.': 'Recomeça do zero a {time}.',
  'Minutes beyond the plan cost $0.05 each.': 'Os minutos além do plano custam $0,05 cada.',
  'The minutes are used up: outbound calls are refused, inbound calls are answered.':
    'Os minutos acabaram: as chamadas efetuadas são recusadas, as recebidas atendidas.',
  'When they are used up, outbound calls are refused; inbound calls are always answered.':
    'Quando acabam, as efetuadas são recusadas; as recebidas são sempre atendidas.',
  Payment: 'Pagamento',
  'Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.':
    'Nesta instalação nada é cobrado. O que números e minutos custariam fica só anotado abaixo.',
  Card: 'Cartão',
  '{brand} ending in {digits}': '{brand} terminado em {digits}',
  'No card yet: numbers that cost something cannot be bought.':
    'Ainda não há cartão: números pagos não podem ser comprados.',
  'Cards are added on a page of Stripe; the one added last is charged.':
    'Os cartões juntam-se numa página da Stripe; cobra-se no último.',
  'Use another card': 'Usar outro cartão',
  'Add a card': 'Juntar um cartão',
  Charges: 'Encargos',
  'No charges': 'Sem encargos',
  'A number with a monthly price, and minutes beyond the plan, are recorded here.':
    'Aqui anotam-se os números com preço mensal e os minutos além do plano.',
  'Numbers are charged for each calendar month, minutes beyond the plan when the month is over.':
    'Os números são cobrados por mês de calendário, os minutos além do plano no fim do mês.',
  Date: 'Data',
  For: 'Por',
  'Number {phoneNumber}': 'Número {phoneNumber}',
  'Minutes beyond the plan': 'Minutos além do plano',
  Recorded: 'Anotado',
  Paid: 'Pago',
  Refunded: 'Reembolsado',
  '{browser} on {system}': '{browser} em {system}',
};
