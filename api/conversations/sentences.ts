// Sentences that the service itself writes to a person, beside the agent: answers to STOP, START and HELP, and texts
// about appointments.
import type { AppointmentTextKind } from '../../db/schema/conversations.ts';
import { type MailLanguage, mailLanguage } from '../mail/mail-language.ts';

interface Sentences extends Record<AppointmentTextKind, string> {
  stop: string;
  start: string;
  help: string;
}

const SENTENCES: Readonly<Record<MailLanguage, Sentences>> = {
  en: {
    stop: '{{name}}: You get no more messages from this number. Reply START to get them again.',
    start: '{{name}}: You get messages from this number again. Reply STOP to end them.',
    help: '{{name}}: Write your question here, or call this number. Reply STOP to get no more messages.',
    confirmation:
      '{{name}}: your appointment{{what}} is booked for {{when}}. Reply here to change it, or STOP for no texts.',
    change: '{{name}}: your appointment{{what}} was moved to {{when}}. Reply here if that does not suit you.',
    cancellation: '{{name}}: your appointment{{what}} on {{when}} is cancelled. Reply here for another one.',
    reminder:
      '{{name}}: a reminder of your appointment{{what}} on {{when}}. Reply here to change it, or STOP for no texts.',
  },
  de: {
    stop: '{{name}}: Sie erhalten von dieser Nummer keine Nachrichten mehr. Mit START erhalten Sie wieder welche.',
    start: '{{name}}: Sie erhalten von dieser Nummer wieder Nachrichten. Mit STOPP beenden Sie das.',
    help: '{{name}}: Schreiben Sie Ihre Frage hierher, oder rufen Sie diese Nummer an. Mit STOPP erhalten Sie nichts mehr.',
    confirmation:
      '{{name}}: Ihr Termin{{what}} ist gebucht: {{when}}. Antworten Sie hier, um ihn zu ändern, oder mit STOPP, um keine Nachrichten zu erhalten.',
    change: '{{name}}: Ihr Termin{{what}} wurde verlegt auf {{when}}. Antworten Sie hier, wenn das nicht passt.',
    cancellation: '{{name}}: Ihr Termin{{what}} am {{when}} ist abgesagt. Antworten Sie hier für einen neuen.',
    reminder:
      '{{name}}: Erinnerung an Ihren Termin{{what}}: {{when}}. Antworten Sie hier, um ihn zu ändern, oder mit STOPP.',
  },
  fr: {
    stop: '{{name}} : vous ne recevrez plus de messages de ce numéro. Répondez START pour en recevoir à nouveau.',
    start: '{{name}} : vous recevez à nouveau les messages de ce numéro. Répondez STOP pour les arrêter.',
    help: '{{name}} : écrivez votre question ici, ou appelez ce numéro. Répondez STOP pour ne plus rien recevoir.',
    confirmation:
      '{{name}} : votre rendez-vous{{what}} est fixé au {{when}}. Répondez ici pour le changer, ou STOP pour ne plus rien recevoir.',
    change: '{{name}} : votre rendez-vous{{what}} est déplacé au {{when}}. Répondez ici si cela ne convient pas.',
    cancellation: '{{name}} : votre rendez-vous{{what}} du {{when}} est annulé. Répondez ici pour un autre.',
    reminder: '{{name}} : rappel de votre rendez-vous{{what}} : {{when}}. Répondez ici pour le changer, ou STOP.',
  },
  es: {
    stop: '{{name}}: ya no recibirá mensajes de este número. Responda START para volver a recibirlos.',
    start: '{{name}}: vuelve a recibir mensajes de este número. Responda STOP para no recibir más.',
    help: '{{name}}: escriba aquí su pregunta o llame a este número. Responda STOP para no recibir más.',
    confirmation:
      '{{name}}: su cita{{what}} está reservada para el {{when}}. Responda aquí para cambiarla, o STOP para no recibir más.',
    change: '{{name}}: su cita{{what}} pasa al {{when}}. Responda aquí si no le va bien.',
    cancellation: '{{name}}: su cita{{what}} del {{when}} está cancelada. Responda aquí para pedir otra.',
    reminder: '{{name}}: le recordamos su cita{{what}}: {{when}}. Responda aquí para cambiarla, o STOP.',
  },
  it: {
    stop: '{{name}}: non riceverà più messaggi da questo numero. Risponda START per riceverli di nuovo.',
    start: '{{name}}: riceve di nuovo i messaggi da questo numero. Risponda STOP per non riceverne più.',
    help: '{{name}}: scriva qui la sua domanda o chiami questo numero. Risponda STOP per non ricevere più nulla.',
    confirmation:
      '{{name}}: il suo appuntamento{{what}} è prenotato per {{when}}. Risponda qui per cambiarlo, o STOP per non ricevere nulla.',
    change: '{{name}}: il suo appuntamento{{what}} è spostato a {{when}}. Risponda qui se non va bene.',
    cancellation: '{{name}}: il suo appuntamento{{what}} di {{when}} è annullato. Risponda qui per averne un altro.',
    reminder: '{{name}}: promemoria del suo appuntamento{{what}}: {{when}}. Risponda qui per cambiarlo, o STOP.',
  },
  nl: {
    stop: '{{name}}: u krijgt geen berichten meer van dit nummer. Antwoord START om ze weer te krijgen.',
    start: '{{name}}: u krijgt weer berichten van dit nummer. Antwoord STOP om ze te beëindigen.',
    help: '{{name}}: schrijf hier uw vraag, of bel dit nummer. Antwoord STOP om niets meer te krijgen.',
    confirmation:
      '{{name}}: uw afspraak{{what}} is geboekt voor {{when}}. Antwoord hier om die te wijzigen, of STOP voor geen berichten.',
    change: '{{name}}: uw afspraak{{what}} is verplaatst naar {{when}}. Antwoord hier als dat niet past.',
    cancellation: '{{name}}: uw afspraak{{what}} van {{when}} is geannuleerd. Antwoord hier voor een andere.',
    reminder: '{{name}}: herinnering aan uw afspraak{{what}}: {{when}}. Antwoord hier om die te wijzigen, of STOP.',
  },
  pt: {
    stop: '{{name}}: não receberá mais mensagens deste número. Responda START para as voltar a receber.',
    start: '{{name}}: volta a receber mensagens deste número. Responda STOP para as terminar.',
    help: '{{name}}: escreva aqui a sua pergunta ou ligue para este número. Responda STOP para não receber mais.',
    confirmation:
      '{{name}}: a sua marcação{{what}} está feita para {{when}}. Responda aqui para a alterar, ou STOP para não receber mais.',
    change: '{{name}}: a sua marcação{{what}} passou para {{when}}. Responda aqui se não lhe convier.',
    cancellation: '{{name}}: a sua marcação{{what}} de {{when}} foi cancelada. Responda aqui para outra.',
    reminder: '{{name}}: lembrete da sua marcação{{what}}: {{when}}. Responda aqui para a alterar, ou STOP.',
  },
};

/** `language`: BCP 47, of the agent. */
export const sentence = (kind: 'stop' | 'start' | 'help', language: string, businessName: string): string =>
  SENTENCES[mailLanguage(language) ?? 'en'][kind].replace('{{name}}', () => businessName);

/** `what`: service and person, in brackets, or nothing. */
export const appointmentSentence = (
  kind: AppointmentTextKind,
  language: string,
  words: { name: string; what: string; when: string },
): string =>
  SENTENCES[mailLanguage(language) ?? 'en'][kind].replace(
    /\{\{(name|what|when)\}\}/g,
    (_, word: keyof typeof words) => words[word],
  );
