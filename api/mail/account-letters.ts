// The texts of mails about money and webhooks in seven languages: what an account should know at once, whoever caused
// it. Placeholders stand in double braces; parts of sentences that a placeholder takes are beside the letters.
import type { Letter } from './letters.ts';
import type { MailLanguage } from './mail-language.ts';

export interface AccountLetters {
  /** {{amount}}, {{item}} (`minutesItem` or `numberItem`), {{url}} */
  declined: Letter;
  minutesItem: string;
  /** {{number}} */
  numberItem: string;
  /** {{number}} */
  suspended: Letter;
  /** {{month}} */
  overageOff: Letter;
  /** {{id}}, {{host}}, {{why}} (`gone` or `failing`) */
  webhookOff: Letter;
  gone: string;
  failing: string;
  /** {{window}} (`hour` or `day`), {{spender}} (`everybody` or `oneAccount`), {{minutes}}, {{limit}}, {{advice}} */
  spendAlarm: Letter;
  /** The same, and {{until}}. */
  spendStop: Letter;
  hour: string;
  day: string;
  everybody: string;
  /** {{account}}, {{id}} */
  oneAccount: string;
  /** {{name}}, {{where}} */
  advice: string;
}

export const ACCOUNT_LETTERS: Readonly<Record<MailLanguage, AccountLetters>> = {
  en: {
    declined: {
      subject: 'A payment was declined',
      text: 'The charge of USD {{amount}} for {{item}} was declined.\n\nIt is tried again every day. After 7 days what it pays for is taken out of service.\n\nCheck the card of your account:\n\n{{url}}\n',
    },
    minutesItem: 'minutes past your plan',
    numberItem: 'phone number {{number}}',
    suspended: {
      subject: 'Phone number {{number}} is out of service',
      text: 'The monthly charge for {{number}} has failed for 7 days, so the number is inactive now.\n\nAdd a card that can be charged, then activate the number again: the card is charged at that moment.\n',
    },
    overageOff: {
      subject: 'Calls past your plan are switched off',
      text: 'The charge for minutes past your plan in {{month}} has failed for 7 days, so overage is disabled now.\n',
    },
    webhookOff: {
      subject: 'A webhook has been disabled',
      text: 'The webhook {{id}} to {{host}} has been disabled.\n{{why}}\n\nEvents are not kept for it. Once the receiver works again, set isActive to true with PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'Its receiver answered 410 Gone.',
    failing: 'Every delivery of the last five days has failed.',
    spendAlarm: {
      subject: 'Many outbound minutes',
      text: 'In this {{window}} {{spender}} spent {{minutes}} minutes of outbound calls. The alarm is at {{limit}}.\n\nCalls go on. Look at the list of calls: are the numbers those that you expect?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Outbound calls are stopped: limit of spend',
      text: 'In this {{window}} {{spender}} spent {{minutes}} minutes of outbound calls. The stop is at {{limit}}.\n\nNo further call goes out before {{until}}. Calls under way go on.\n\n{{advice}}\n',
    },
    hour: 'hour',
    day: 'day',
    everybody: 'all accounts together',
    oneAccount: 'the account {{account}} ({{id}})',
    advice:
      'If it was not you: revoke the tokens, change the passwords, and restrict the destinations (docs/destinations.md).\n\nAn ADMIN changes the limit ({{name}}) by {{where}}: docs/spend.md.',
  },
  de: {
    declined: {
      subject: 'Eine Zahlung wurde abgelehnt',
      text: 'Die Belastung von {{amount}} USD für {{item}} wurde abgelehnt.\n\nSie wird täglich neu versucht. Nach 7 Tagen wird außer Betrieb genommen, was sie bezahlt.\n\nPrüfen Sie die Karte Ihres Kontos:\n\n{{url}}\n',
    },
    minutesItem: 'Minuten über Ihren Tarif hinaus',
    numberItem: 'die Nummer {{number}}',
    suspended: {
      subject: 'Die Nummer {{number}} ist außer Betrieb',
      text: 'Die monatliche Belastung für {{number}} ist seit 7 Tagen nicht gelungen; die Nummer ist jetzt inaktiv.\n\nHinterlegen Sie eine Karte, die belastet werden kann, und aktivieren Sie die Nummer wieder: In diesem Augenblick wird die Karte belastet.\n',
    },
    overageOff: {
      subject: 'Anrufe über Ihren Tarif hinaus sind abgeschaltet',
      text: 'Die Belastung für Minuten über Ihren Tarif hinaus im Monat {{month}} ist seit 7 Tagen nicht gelungen; solche Anrufe sind jetzt abgeschaltet.\n',
    },
    webhookOff: {
      subject: 'Ein Webhook wurde abgeschaltet',
      text: 'Der Webhook {{id}} an {{host}} wurde abgeschaltet.\n{{why}}\n\nEreignisse werden für ihn nicht aufbewahrt. Sobald der Empfänger wieder arbeitet, setzen Sie isActive mit PATCH /api/v1/webhooks/{{id}} auf true.\n',
    },
    gone: 'Sein Empfänger hat mit 410 Gone geantwortet.',
    failing: 'Jede Zustellung der letzten fünf Tage ist gescheitert.',
    spendAlarm: {
      subject: 'Viele ausgehende Minuten',
      text: 'Ausgehende Anrufe, {{window}}: {{minutes}} Minuten ({{spender}}). Der Alarm steht bei {{limit}}.\n\nDie Anrufe gehen weiter. Sehen Sie die Liste der Anrufe an: Sind es die Nummern, die Sie erwarten?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Ausgehende Anrufe sind gestoppt: Ausgabengrenze',
      text: 'Ausgehende Anrufe, {{window}}: {{minutes}} Minuten ({{spender}}). Der Stopp steht bei {{limit}}.\n\nVor {{until}} geht kein weiterer Anruf hinaus. Laufende Anrufe gehen weiter.\n\n{{advice}}\n',
    },
    hour: 'diese Stunde',
    day: 'dieser Tag',
    everybody: 'alle Konten zusammen',
    oneAccount: 'Konto {{account}}, {{id}}',
    advice:
      'Wenn Sie das nicht waren: Widerrufen Sie die Token, ändern Sie die Passwörter und schränken Sie die Ziele ein (docs/destinations.md).\n\nEin ADMIN ändert die Grenze ({{name}}) mit {{where}}: docs/spend.md.',
  },
  fr: {
    declined: {
      subject: 'Un paiement a été refusé',
      text: 'Le débit de {{amount}} USD pour {{item}} a été refusé.\n\nIl est retenté chaque jour. Après 7 jours, ce qu’il paie est mis hors service.\n\nVérifiez la carte de votre compte :\n\n{{url}}\n',
    },
    minutesItem: 'les minutes au-delà de votre forfait',
    numberItem: 'le numéro {{number}}',
    suspended: {
      subject: 'Le numéro {{number}} est hors service',
      text: 'Le débit mensuel pour {{number}} échoue depuis 7 jours ; le numéro est désormais inactif.\n\nAjoutez une carte qui peut être débitée, puis réactivez le numéro : la carte est débitée à ce moment-là.\n',
    },
    overageOff: {
      subject: 'Les appels au-delà de votre forfait sont désactivés',
      text: 'Le débit des minutes au-delà de votre forfait pour {{month}} échoue depuis 7 jours ; ces appels sont désormais désactivés.\n',
    },
    webhookOff: {
      subject: 'Un webhook a été désactivé',
      text: 'Le webhook {{id}} vers {{host}} a été désactivé.\n{{why}}\n\nLes événements ne sont pas conservés pour lui. Dès que le destinataire fonctionne à nouveau, mettez isActive à true avec PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'Son destinataire a répondu 410 Gone.',
    failing: 'Toutes les remises des cinq derniers jours ont échoué.',
    spendAlarm: {
      subject: 'Beaucoup de minutes sortantes',
      text: 'Appels sortants, {{window}} : {{minutes}} minutes ({{spender}}). L’alerte est à {{limit}}.\n\nLes appels continuent. Regardez la liste des appels : les numéros sont-ils ceux que vous attendez ?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Les appels sortants sont arrêtés : limite de dépenses',
      text: 'Appels sortants, {{window}} : {{minutes}} minutes ({{spender}}). L’arrêt est à {{limit}}.\n\nAucun autre appel ne part avant {{until}}. Les appels en cours continuent.\n\n{{advice}}\n',
    },
    hour: 'cette heure',
    day: 'ce jour',
    everybody: 'tous les comptes ensemble',
    oneAccount: 'compte {{account}}, {{id}}',
    advice:
      'Si ce n’était pas vous : révoquez les jetons, changez les mots de passe et limitez les destinations (docs/destinations.md).\n\nUn ADMIN change la limite ({{name}}) par {{where}} : docs/spend.md.',
  },
  es: {
    declined: {
      subject: 'Se ha rechazado un pago',
      text: 'Se ha rechazado el cargo de {{amount}} USD por {{item}}.\n\nSe intenta de nuevo cada día. A los 7 días se pone fuera de servicio lo que paga.\n\nCompruebe la tarjeta de su cuenta:\n\n{{url}}\n',
    },
    minutesItem: 'los minutos que exceden su plan',
    numberItem: 'el número {{number}}',
    suspended: {
      subject: 'El número {{number}} está fuera de servicio',
      text: 'El cargo mensual por {{number}} falla desde hace 7 días, y el número está ahora inactivo.\n\nAñada una tarjeta a la que se pueda cargar y vuelva a activar el número: el cargo se hace en ese momento.\n',
    },
    overageOff: {
      subject: 'Las llamadas que exceden su plan están desactivadas',
      text: 'El cargo por los minutos que exceden su plan en {{month}} falla desde hace 7 días, y esas llamadas están ahora desactivadas.\n',
    },
    webhookOff: {
      subject: 'Se ha desactivado un webhook',
      text: 'Se ha desactivado el webhook {{id}} a {{host}}.\n{{why}}\n\nNo se guardan eventos para él. Cuando el receptor vuelva a funcionar, ponga isActive en true con PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'Su receptor respondió 410 Gone.',
    failing: 'Han fallado todas las entregas de los últimos cinco días.',
    spendAlarm: {
      subject: 'Muchos minutos salientes',
      text: 'Llamadas salientes, {{window}}: {{minutes}} minutos ({{spender}}). La alarma está en {{limit}}.\n\nLas llamadas continúan. Mire la lista de llamadas: ¿son los números que espera?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Las llamadas salientes están detenidas: límite de gasto',
      text: 'Llamadas salientes, {{window}}: {{minutes}} minutos ({{spender}}). El límite está en {{limit}}.\n\nNo sale ninguna llamada más antes de {{until}}. Las llamadas en curso continúan.\n\n{{advice}}\n',
    },
    hour: 'esta hora',
    day: 'este día',
    everybody: 'todas las cuentas juntas',
    oneAccount: 'cuenta {{account}}, {{id}}',
    advice:
      'Si no ha sido usted: revoque los tokens, cambie las contraseñas y restrinja los destinos (docs/destinations.md).\n\nUn ADMIN cambia el límite ({{name}}) con {{where}}: docs/spend.md.',
  },
  it: {
    declined: {
      subject: 'Un pagamento è stato rifiutato',
      text: 'L’addebito di {{amount}} USD per {{item}} è stato rifiutato.\n\nViene ritentato ogni giorno. Dopo 7 giorni ciò che paga viene messo fuori servizio.\n\nVerifichi la carta del Suo account:\n\n{{url}}\n',
    },
    minutesItem: 'i minuti oltre il Suo piano',
    numberItem: 'il numero {{number}}',
    suspended: {
      subject: 'Il numero {{number}} è fuori servizio',
      text: 'L’addebito mensile per {{number}} non riesce da 7 giorni e il numero è ora inattivo.\n\nAggiunga una carta addebitabile e riattivi il numero: l’addebito avviene in quel momento.\n',
    },
    overageOff: {
      subject: 'Le chiamate oltre il Suo piano sono disattivate',
      text: 'L’addebito dei minuti oltre il Suo piano per {{month}} non riesce da 7 giorni e queste chiamate sono ora disattivate.\n',
    },
    webhookOff: {
      subject: 'Un webhook è stato disattivato',
      text: 'Il webhook {{id}} verso {{host}} è stato disattivato.\n{{why}}\n\nGli eventi non vengono conservati per esso. Quando il destinatario funziona di nuovo, imposti isActive su true con PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'Il suo destinatario ha risposto 410 Gone.',
    failing: 'Tutte le consegne degli ultimi cinque giorni sono fallite.',
    spendAlarm: {
      subject: 'Molti minuti in uscita',
      text: 'Chiamate in uscita, {{window}}: {{minutes}} minuti ({{spender}}). L’allarme è a {{limit}}.\n\nLe chiamate continuano. Guardi l’elenco delle chiamate: sono i numeri che si aspetta?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Le chiamate in uscita sono ferme: limite di spesa',
      text: 'Chiamate in uscita, {{window}}: {{minutes}} minuti ({{spender}}). Il blocco è a {{limit}}.\n\nNessun’altra chiamata parte prima di {{until}}. Le chiamate in corso continuano.\n\n{{advice}}\n',
    },
    hour: 'quest’ora',
    day: 'oggi',
    everybody: 'tutti gli account insieme',
    oneAccount: 'account {{account}}, {{id}}',
    advice:
      'Se non è stato Lei: revochi i token, cambi le password e limiti le destinazioni (docs/destinations.md).\n\nUn ADMIN cambia il limite ({{name}}) con {{where}}: docs/spend.md.',
  },
  nl: {
    declined: {
      subject: 'Een betaling is geweigerd',
      text: 'De afschrijving van USD {{amount}} voor {{item}} is geweigerd.\n\nZe wordt elke dag opnieuw geprobeerd. Na 7 dagen wordt buiten gebruik gesteld wat ermee betaald wordt.\n\nControleer de kaart van uw account:\n\n{{url}}\n',
    },
    minutesItem: 'minuten boven uw abonnement',
    numberItem: 'nummer {{number}}',
    suspended: {
      subject: 'Nummer {{number}} is buiten gebruik',
      text: 'De maandelijkse afschrijving voor {{number}} mislukt al 7 dagen; het nummer is nu inactief.\n\nVoeg een kaart toe waarvan kan worden afgeschreven en activeer het nummer weer: op dat moment wordt afgeschreven.\n',
    },
    overageOff: {
      subject: 'Gesprekken boven uw abonnement zijn uitgeschakeld',
      text: 'De afschrijving voor minuten boven uw abonnement in {{month}} mislukt al 7 dagen; zulke gesprekken zijn nu uitgeschakeld.\n',
    },
    webhookOff: {
      subject: 'Een webhook is uitgeschakeld',
      text: 'De webhook {{id}} naar {{host}} is uitgeschakeld.\n{{why}}\n\nGebeurtenissen worden er niet voor bewaard. Zodra de ontvanger weer werkt, zet u isActive op true met PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'De ontvanger antwoordde 410 Gone.',
    failing: 'Elke aflevering van de laatste vijf dagen is mislukt.',
    spendAlarm: {
      subject: 'Veel uitgaande minuten',
      text: 'Uitgaande gesprekken, {{window}}: {{minutes}} minuten ({{spender}}). Het alarm staat op {{limit}}.\n\nDe gesprekken gaan door. Bekijk de lijst van gesprekken: zijn het de nummers die u verwacht?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'Uitgaande gesprekken zijn gestopt: uitgavenlimiet',
      text: 'Uitgaande gesprekken, {{window}}: {{minutes}} minuten ({{spender}}). De stop staat op {{limit}}.\n\nVóór {{until}} gaat er geen gesprek meer uit. Lopende gesprekken gaan door.\n\n{{advice}}\n',
    },
    hour: 'dit uur',
    day: 'deze dag',
    everybody: 'alle accounts samen',
    oneAccount: 'account {{account}}, {{id}}',
    advice:
      'Was u het niet: trek de tokens in, wijzig de wachtwoorden en beperk de bestemmingen (docs/destinations.md).\n\nEen ADMIN wijzigt de limiet ({{name}}) met {{where}}: docs/spend.md.',
  },
  pt: {
    declined: {
      subject: 'Um pagamento foi recusado',
      text: 'A cobrança de {{amount}} USD por {{item}} foi recusada.\n\nÉ tentada de novo todos os dias. Ao fim de 7 dias, o que ela paga fica fora de serviço.\n\nVerifique o cartão da sua conta:\n\n{{url}}\n',
    },
    minutesItem: 'minutos além do seu plano',
    numberItem: 'o número {{number}}',
    suspended: {
      subject: 'O número {{number}} está fora de serviço',
      text: 'A cobrança mensal de {{number}} falha há 7 dias, e o número está agora inativo.\n\nAdicione um cartão que possa ser cobrado e ative de novo o número: a cobrança é feita nesse momento.\n',
    },
    overageOff: {
      subject: 'As chamadas além do seu plano estão desligadas',
      text: 'A cobrança dos minutos além do seu plano em {{month}} falha há 7 dias, e essas chamadas estão agora desligadas.\n',
    },
    webhookOff: {
      subject: 'Um webhook foi desativado',
      text: 'O webhook {{id}} para {{host}} foi desativado.\n{{why}}\n\nOs eventos não são guardados para ele. Quando o recetor voltar a funcionar, ponha isActive a true com PATCH /api/v1/webhooks/{{id}}.\n',
    },
    gone: 'O seu recetor respondeu 410 Gone.',
    failing: 'Todas as entregas dos últimos cinco dias falharam.',
    spendAlarm: {
      subject: 'Muitos minutos de saída',
      text: 'Chamadas de saída, {{window}}: {{minutes}} minutos ({{spender}}). O alarme está em {{limit}}.\n\nAs chamadas continuam. Veja a lista de chamadas: são os números que espera?\n\n{{advice}}\n',
    },
    spendStop: {
      subject: 'As chamadas de saída estão paradas: limite de gastos',
      text: 'Chamadas de saída, {{window}}: {{minutes}} minutos ({{spender}}). O limite está em {{limit}}.\n\nNenhuma outra chamada sai antes de {{until}}. As chamadas em curso continuam.\n\n{{advice}}\n',
    },
    hour: 'esta hora',
    day: 'este dia',
    everybody: 'todas as contas juntas',
    oneAccount: 'conta {{account}}, {{id}}',
    advice:
      'Se não foi o senhor ou a senhora: revogue os tokens, mude as palavras-passe e restrinja os destinos (docs/destinations.md).\n\nUm ADMIN muda o limite ({{name}}) com {{where}}: docs/spend.md.',
  },
};
