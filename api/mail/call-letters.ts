// The words of messages about calls in seven languages, for owners: mails, chats and digests are put together of them
// (api/notices/compose.ts). Placeholders stand in double braces.
import type { MailLanguage } from './mail-language.ts';

/** How a call ended, in the words of an owner. */
export type CallEnding =
  | 'completed'
  | 'transferred'
  | 'voicemail'
  | 'agent_failed'
  | 'hung_up'
  | 'no_response'
  | 'missed'
  | 'running';

export interface CallLetters {
  /** {{who}} */
  subjects: Record<'inbound' | 'outbound' | 'missed' | 'appointment' | 'callback' | 'agent_failed', string>;
  /** {{count}} */
  digest: string;
  /** In place of a name that is not to be said. */
  somebody: string;
  /** Of a caller who shows no number, and of one who calls from a web page. */
  withheld: string;
  browser: string;
  labels: Record<
    | 'caller'
    | 'called'
    | 'began'
    | 'lasted'
    | 'ended'
    | 'summary'
    | 'appointment'
    | 'moved'
    | 'cancelled'
    | 'before'
    | 'callback'
    | 'calendar',
    string
  >;
  endings: Record<CallEnding, string>;
  /** Between a label and its text. */
  colon: string;
  yes: string;
  no: string;
  /** Before the address of the call's page. */
  link: string;
  /** Before the address of the list of calls. */
  list: string;
  /** The same where it has {{count}} more than the message. */
  more: string;
  /** Before the address of the business's page. */
  footer: string;
  example: string;
}

export const CALL_LETTERS: Readonly<Record<MailLanguage, CallLetters>> = {
  en: {
    subjects: {
      inbound: 'Call from {{who}}',
      outbound: 'Call to {{who}}',
      missed: 'Missed call from {{who}}',
      appointment: 'New appointment: {{who}}',
      callback: 'To be called back: {{who}}',
      agent_failed: 'A call went wrong: {{who}}',
    },
    digest: 'What happened on {{count}} calls',
    somebody: 'somebody',
    withheld: 'a hidden number',
    browser: 'a visitor of your web page',
    labels: {
      caller: 'From',
      called: 'To',
      began: 'When',
      lasted: 'Length',
      ended: 'How it ended',
      summary: 'Summary',
      appointment: 'Appointment',
      moved: 'Appointment moved',
      cancelled: 'Appointment cancelled',
      before: 'Before',
      calendar: 'A calendar has to be opened again',
      callback: 'Call back promised for',
    },
    endings: {
      completed: 'talked to the end',
      transferred: 'put through to a person',
      voicemail: 'an answering machine answered',
      agent_failed: 'the agent could not answer',
      hung_up: 'hung up before a word was said',
      no_response: 'answered, but nobody spoke',
      missed: 'not answered',
      running: 'still going on',
    },
    colon: ': ',
    yes: 'yes',
    no: 'no',
    link: 'The whole call, after you sign in:',
    list: 'All calls, after you sign in:',
    more: 'And {{count}} more, in the list of calls:',
    footer: 'What you are told, and when, is set here:',
    example: 'This is an example: nobody has called.',
  },
  de: {
    subjects: {
      inbound: 'Anruf von {{who}}',
      outbound: 'Anruf bei {{who}}',
      missed: 'Verpasster Anruf von {{who}}',
      appointment: 'Neuer Termin: {{who}}',
      callback: 'Rückruf versprochen: {{who}}',
      agent_failed: 'Ein Anruf ging schief: {{who}}',
    },
    digest: 'Was bei {{count}} Anrufen geschah',
    somebody: 'jemandem',
    withheld: 'unterdrückter Nummer',
    browser: 'einem Besucher Ihrer Webseite',
    labels: {
      caller: 'Von',
      called: 'An',
      began: 'Wann',
      lasted: 'Dauer',
      ended: 'Wie es endete',
      summary: 'Zusammenfassung',
      appointment: 'Termin',
      moved: 'Termin verlegt',
      cancelled: 'Termin abgesagt',
      before: 'Vorher',
      calendar: 'Ein Kalender muss neu verbunden werden',
      callback: 'Rückruf versprochen für',
    },
    endings: {
      completed: 'zu Ende gesprochen',
      transferred: 'an einen Menschen weitergegeben',
      voicemail: 'ein Anrufbeantworter nahm ab',
      agent_failed: 'der Agent konnte nicht antworten',
      hung_up: 'aufgelegt, ehe ein Wort gesagt war',
      no_response: 'angenommen, aber niemand sprach',
      missed: 'nicht angenommen',
      running: 'läuft noch',
    },
    colon: ': ',
    yes: 'ja',
    no: 'nein',
    link: 'Der ganze Anruf, nach der Anmeldung:',
    list: 'Alle Anrufe, nach der Anmeldung:',
    more: 'Und {{count}} weitere, in der Liste der Anrufe:',
    footer: 'Was Ihnen wann gesagt wird, stellen Sie hier ein:',
    example: 'Das ist ein Beispiel: Niemand hat angerufen.',
  },
  fr: {
    subjects: {
      inbound: 'Appel de {{who}}',
      outbound: 'Appel à {{who}}',
      missed: 'Appel manqué de {{who}}',
      appointment: 'Nouveau rendez-vous : {{who}}',
      callback: 'Rappel promis : {{who}}',
      agent_failed: 'Un appel s’est mal passé : {{who}}',
    },
    digest: 'Ce qui s’est passé lors de {{count}} appels',
    somebody: 'quelqu’un',
    withheld: 'un numéro masqué',
    browser: 'un visiteur de votre page web',
    labels: {
      caller: 'De',
      called: 'À',
      began: 'Quand',
      lasted: 'Durée',
      ended: 'Fin de l’appel',
      summary: 'Résumé',
      appointment: 'Rendez-vous',
      moved: 'Rendez-vous déplacé',
      cancelled: 'Rendez-vous annulé',
      before: 'Avant',
      calendar: 'Un calendrier doit être reconnecté',
      callback: 'Rappel promis pour',
    },
    endings: {
      completed: 'conversation menée à son terme',
      transferred: 'transféré à une personne',
      voicemail: 'un répondeur a décroché',
      agent_failed: 'l’agent n’a pas pu répondre',
      hung_up: 'raccroché sans un mot',
      no_response: 'décroché, mais personne n’a parlé',
      missed: 'sans réponse',
      running: 'toujours en cours',
    },
    colon: ' : ',
    yes: 'oui',
    no: 'non',
    link: 'L’appel entier, après connexion :',
    list: 'Tous les appels, après connexion :',
    more: 'Et {{count}} autres, dans la liste des appels :',
    footer: 'Ce dont vous êtes informé, et quand, se règle ici :',
    example: 'Ceci est un exemple : personne n’a appelé.',
  },
  es: {
    subjects: {
      inbound: 'Llamada de {{who}}',
      outbound: 'Llamada a {{who}}',
      missed: 'Llamada perdida de {{who}}',
      appointment: 'Nueva cita: {{who}}',
      callback: 'Devolución de llamada prometida: {{who}}',
      agent_failed: 'Una llamada salió mal: {{who}}',
    },
    digest: 'Lo que pasó en {{count}} llamadas',
    somebody: 'alguien',
    withheld: 'un número oculto',
    browser: 'un visitante de su página web',
    labels: {
      caller: 'De',
      called: 'A',
      began: 'Cuándo',
      lasted: 'Duración',
      ended: 'Cómo terminó',
      summary: 'Resumen',
      appointment: 'Cita',
      moved: 'Cita cambiada',
      cancelled: 'Cita cancelada',
      before: 'Antes',
      calendar: 'Hay que volver a conectar un calendario',
      callback: 'Devolución prometida para',
    },
    endings: {
      completed: 'hablada hasta el final',
      transferred: 'pasada a una persona',
      voicemail: 'contestó un buzón de voz',
      agent_failed: 'el agente no pudo responder',
      hung_up: 'colgó antes de decir nada',
      no_response: 'contestada, pero nadie habló',
      missed: 'no contestada',
      running: 'todavía en curso',
    },
    colon: ': ',
    yes: 'sí',
    no: 'no',
    link: 'La llamada entera, tras iniciar sesión:',
    list: 'Todas las llamadas, tras iniciar sesión:',
    more: 'Y {{count}} más, en la lista de llamadas:',
    footer: 'De qué se le informa, y cuándo, se ajusta aquí:',
    example: 'Esto es un ejemplo: no ha llamado nadie.',
  },
  it: {
    subjects: {
      inbound: 'Chiamata da {{who}}',
      outbound: 'Chiamata a {{who}}',
      missed: 'Chiamata persa da {{who}}',
      appointment: 'Nuovo appuntamento: {{who}}',
      callback: 'Da richiamare: {{who}}',
      agent_failed: 'Una chiamata è andata male: {{who}}',
    },
    digest: 'Che cosa è successo in {{count}} chiamate',
    somebody: 'qualcuno',
    withheld: 'un numero nascosto',
    browser: 'un visitatore della Sua pagina web',
    labels: {
      caller: 'Da',
      called: 'A',
      began: 'Quando',
      lasted: 'Durata',
      ended: 'Come è finita',
      summary: 'Riassunto',
      appointment: 'Appuntamento',
      moved: 'Appuntamento spostato',
      cancelled: 'Appuntamento annullato',
      before: 'Prima',
      calendar: 'Un calendario va ricollegato',
      callback: 'Richiamata promessa per',
    },
    endings: {
      completed: 'conversazione conclusa',
      transferred: 'passata a una persona',
      voicemail: 'ha risposto una segreteria',
      agent_failed: 'l’agente non ha potuto rispondere',
      hung_up: 'riagganciato senza una parola',
      no_response: 'risposta, ma nessuno ha parlato',
      missed: 'senza risposta',
      running: 'ancora in corso',
    },
    colon: ': ',
    yes: 'sì',
    no: 'no',
    link: 'La chiamata intera, dopo l’accesso:',
    list: 'Tutte le chiamate, dopo l’accesso:',
    more: 'E altre {{count}}, nell’elenco delle chiamate:',
    footer: 'Di che cosa viene informato, e quando, si imposta qui:',
    example: 'Questo è un esempio: non ha chiamato nessuno.',
  },
  nl: {
    subjects: {
      inbound: 'Gesprek van {{who}}',
      outbound: 'Gesprek met {{who}}',
      missed: 'Gemiste oproep van {{who}}',
      appointment: 'Nieuwe afspraak: {{who}}',
      callback: 'Terugbellen beloofd: {{who}}',
      agent_failed: 'Een gesprek ging mis: {{who}}',
    },
    digest: 'Wat er in {{count}} gesprekken gebeurde',
    somebody: 'iemand',
    withheld: 'een verborgen nummer',
    browser: 'een bezoeker van uw webpagina',
    labels: {
      caller: 'Van',
      called: 'Aan',
      began: 'Wanneer',
      lasted: 'Duur',
      ended: 'Hoe het eindigde',
      summary: 'Samenvatting',
      appointment: 'Afspraak',
      moved: 'Afspraak verzet',
      cancelled: 'Afspraak geannuleerd',
      before: 'Eerst',
      calendar: 'Een agenda moet opnieuw worden verbonden',
      callback: 'Terugbellen beloofd voor',
    },
    endings: {
      completed: 'tot het einde gesproken',
      transferred: 'doorverbonden met een mens',
      voicemail: 'een antwoordapparaat nam op',
      agent_failed: 'de agent kon niet antwoorden',
      hung_up: 'opgehangen voordat er iets gezegd was',
      no_response: 'opgenomen, maar niemand sprak',
      missed: 'niet opgenomen',
      running: 'nog bezig',
    },
    colon: ': ',
    yes: 'ja',
    no: 'nee',
    link: 'Het hele gesprek, na het aanmelden:',
    list: 'Alle gesprekken, na het aanmelden:',
    more: 'En nog {{count}}, in de lijst van gesprekken:',
    footer: 'Wat u wanneer te horen krijgt, stelt u hier in:',
    example: 'Dit is een voorbeeld: er heeft niemand gebeld.',
  },
  pt: {
    subjects: {
      inbound: 'Chamada de {{who}}',
      outbound: 'Chamada para {{who}}',
      missed: 'Chamada perdida de {{who}}',
      appointment: 'Nova marcação: {{who}}',
      callback: 'Devolução de chamada prometida: {{who}}',
      agent_failed: 'Uma chamada correu mal: {{who}}',
    },
    digest: 'O que aconteceu em {{count}} chamadas',
    somebody: 'alguém',
    withheld: 'um número oculto',
    browser: 'um visitante da sua página web',
    labels: {
      caller: 'De',
      called: 'Para',
      began: 'Quando',
      lasted: 'Duração',
      ended: 'Como terminou',
      summary: 'Resumo',
      appointment: 'Marcação',
      moved: 'Marcação alterada',
      cancelled: 'Marcação cancelada',
      before: 'Antes',
      calendar: 'É preciso ligar de novo um calendário',
      callback: 'Devolução prometida para',
    },
    endings: {
      completed: 'conversa até ao fim',
      transferred: 'passada a uma pessoa',
      voicemail: 'atendeu um gravador de chamadas',
      agent_failed: 'o agente não conseguiu responder',
      hung_up: 'desligou antes de dizer uma palavra',
      no_response: 'atendida, mas ninguém falou',
      missed: 'não atendida',
      running: 'ainda a decorrer',
    },
    colon: ': ',
    yes: 'sim',
    no: 'não',
    link: 'A chamada inteira, depois de iniciar sessão:',
    list: 'Todas as chamadas, depois de iniciar sessão:',
    more: 'E mais {{count}}, na lista de chamadas:',
    footer: 'De que é informado, e quando, define-se aqui:',
    example: 'Isto é um exemplo: ninguém telefonou.',
  },
};
