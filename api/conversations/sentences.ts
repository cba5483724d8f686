// Sentences that the service itself writes to a person, beside the agent: answers to STOP, START and HELP.
import { type MailLanguage, mailLanguage } from '../mail/mail-language.ts';

interface Sentences {
  stop: string;
  start: string;
  help: string;
}

const SENTENCES: Readonly<Record<MailLanguage, Sentences>> = {
  en: {
    stop: '{{name}}: You get no more messages from this number. Reply START to get them again.',
    start: '{{name}}: You get messages from this number again. Reply STOP to end them.',
    help: '{{name}}: Write your question here, or call this number. Reply STOP to get no more messages.',
  },
  de: {
    stop: '{{name}}: Sie erhalten von dieser Nummer keine Nachrichten mehr. Mit START erhalten Sie wieder welche.',
    start: '{{name}}: Sie erhalten von dieser Nummer wieder Nachrichten. Mit STOPP beenden Sie das.',
    help: '{{name}}: Schreiben Sie Ihre Frage hierher, oder rufen Sie diese Nummer an. Mit STOPP erhalten Sie nichts mehr.',
  },
  fr: {
    stop: '{{name}} : vous ne recevrez plus de messages de ce numéro. Répondez START pour en recevoir à nouveau.',
    start: '{{name}} : vous recevez à nouveau les messages de ce numéro. Répondez STOP pour les arrêter.',
    help: '{{name}} : écrivez votre question ici, ou appelez ce numéro. Répondez STOP pour ne plus rien recevoir.',
  },
  es: {
    stop: '{{name}}: ya no recibirá mensajes de este número. Responda START para volver a recibirlos.',
    start: '{{name}}: vuelve a recibir mensajes de este número. Responda STOP para no recibir más.',
    help: '{{name}}: escriba aquí su pregunta o llame a este número. Responda STOP para no recibir más.',
  },
  it: {
    stop: '{{name}}: non riceverà più messaggi da questo numero. Risponda START per riceverli di nuovo.',
    start: '{{name}}: riceve di nuovo i messaggi da questo numero. Risponda STOP per non riceverne più.',
    help: '{{name}}: scriva qui la sua domanda o chiami questo numero. Risponda STOP per non ricevere più nulla.',
  },
  nl: {
    stop: '{{name}}: u krijgt geen berichten meer van dit nummer. Antwoord START om ze weer te krijgen.',
    start: '{{name}}: u krijgt weer berichten van dit nummer. Antwoord STOP om ze te beëindigen.',
    help: '{{name}}: schrijf hier uw vraag, of bel dit nummer. Antwoord STOP om niets meer te krijgen.',
  },
  pt: {
    stop: '{{name}}: não receberá mais mensagens deste número. Responda START para as voltar a receber.',
    start: '{{name}}: volta a receber mensagens deste número. Responda STOP para as terminar.',
    help: '{{name}}: escreva aqui a sua pergunta ou ligue para este número. Responda STOP para não receber mais.',
  },
};

/** `language`: BCP 47, of the agent. */
export const sentence = (kind: keyof Sentences, language: string, businessName: string): string =>
  SENTENCES[mailLanguage(language) ?? 'en'][kind].replace('{{name}}', () => businessName);
