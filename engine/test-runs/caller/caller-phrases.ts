// The sentences that a simulated caller with a goal has of its own, and the names of facts that answer what the agent
// asks for: one table a language. Each text is a person's, who speaks the language, to correct.
import type { Expectation } from '../../../models/stt/stt.ts';

interface CallerPhrases {
  yes: string;
  /** Asked for something that no fact says. */
  unknown: string;
  /** The agent has nothing to ask any more. */
  goodbye: string;
  /** Words with which an agent asks to hear the same once more. */
  again: readonly string[];
  /** Names of facts that answer what the agent expects. */
  facts: Partial<Record<Expectation, readonly string[]>>;
}

const DEFAULT: CallerPhrases = {
  yes: 'Yes, please.',
  unknown: 'I do not know that.',
  goodbye: 'No, that is all. Thank you, goodbye.',
  again: [
    'repeat',
    'say that again',
    'say it again',
    'one more time',
    'did not catch',
    "didn't catch",
    'did not understand',
    "didn't understand",
    'pardon',
  ],
  facts: {
    date: ['date', 'day', 'when'],
    time: ['time', 'hour', 'when'],
    'date-time': ['when', 'date', 'time', 'day'],
    digits: ['phone', 'number', 'telephone', 'code'],
    spelling: ['name', 'spelling'],
    name: ['name'],
    email: ['email', 'mail'],
    service: ['service', 'what'],
  },
};

const PHRASES: Readonly<Record<string, CallerPhrases>> = {
  en: DEFAULT,
  de: {
    yes: 'Ja, bitte.',
    unknown: 'Das weiß ich nicht.',
    goodbye: 'Nein, das ist alles. Vielen Dank, auf Wiederhören.',
    again: ['wiederholen', 'noch einmal sagen', 'noch einmal', 'nicht verstanden', 'wie bitte'],
    facts: {
      date: ['datum', 'tag', 'wann'],
      time: ['uhrzeit', 'zeit', 'wann'],
      'date-time': ['wann', 'termin', 'datum', 'uhrzeit', 'tag'],
      digits: ['telefon', 'nummer', 'telefonnummer', 'kundennummer'],
      spelling: ['name'],
      name: ['name'],
      email: ['e-mail', 'mail'],
      service: ['leistung', 'was'],
    },
  },
  fr: {
    yes: "Oui, s'il vous plaît.",
    unknown: 'Je ne sais pas.',
    goodbye: "Non, c'est tout. Merci, au revoir.",
    again: ['répéter', 'répétez', 'redire', 'pas compris', 'pas bien compris', 'pas entendu'],
    facts: {
      date: ['date', 'jour', 'quand'],
      time: ['heure', 'quand'],
      'date-time': ['quand', 'date', 'heure', 'jour'],
      digits: ['téléphone', 'numéro', 'code'],
      spelling: ['nom'],
      name: ['nom'],
      email: ['courriel', 'mail', 'email'],
      service: ['service', 'prestation', 'quoi'],
    },
  },
  es: {
    yes: 'Sí, por favor.',
    unknown: 'No lo sé.',
    goodbye: 'No, eso es todo. Gracias, adiós.',
    again: ['repetir', 'repetirlo', 'repita', 'no le he entendido', 'no he entendido', 'no entendí'],
    facts: {
      date: ['fecha', 'día', 'cuándo'],
      time: ['hora', 'cuándo'],
      'date-time': ['cuándo', 'fecha', 'hora', 'día'],
      digits: ['teléfono', 'número', 'código'],
      spelling: ['nombre'],
      name: ['nombre'],
      email: ['correo', 'email'],
      service: ['servicio', 'qué'],
    },
  },
  it: {
    yes: 'Sì, grazie.',
    unknown: 'Non lo so.',
    goodbye: 'No, è tutto. Grazie, arrivederci.',
    again: ['ripetere', 'ripeta', 'non ho capito', 'non ho sentito'],
    facts: {
      date: ['data', 'giorno', 'quando'],
      time: ['ora', 'orario', 'quando'],
      'date-time': ['quando', 'data', 'ora', 'giorno'],
      digits: ['telefono', 'numero', 'codice'],
      spelling: ['nome'],
      name: ['nome'],
      email: ['mail', 'email', 'posta'],
      service: ['servizio', 'cosa'],
    },
  },
  nl: {
    yes: 'Ja, graag.',
    unknown: 'Dat weet ik niet.',
    goodbye: 'Nee, dat is alles. Dank u wel, tot ziens.',
    again: ['herhalen', 'nog een keer', 'nog eens', 'niet verstaan', 'niet begrepen'],
    facts: {
      date: ['datum', 'dag', 'wanneer'],
      time: ['tijd', 'uur', 'wanneer'],
      'date-time': ['wanneer', 'datum', 'tijd', 'dag'],
      digits: ['telefoon', 'nummer', 'telefoonnummer', 'code'],
      spelling: ['naam'],
      name: ['naam'],
      email: ['e-mail', 'mail', 'email'],
      service: ['dienst', 'behandeling', 'wat'],
    },
  },
  pt: {
    yes: 'Sim, por favor.',
    unknown: 'Não sei.',
    goodbye: 'Não, é tudo. Obrigado, adeus.',
    again: ['repetir', 'repita', 'não percebi', 'não entendi', 'não compreendi'],
    facts: {
      date: ['data', 'dia', 'quando'],
      time: ['hora', 'horário', 'quando'],
      'date-time': ['quando', 'data', 'hora', 'dia'],
      digits: ['telefone', 'número', 'código'],
      spelling: ['nome'],
      name: ['nome'],
      email: ['e-mail', 'mail', 'email'],
      service: ['serviço', 'quê'],
    },
  },
};

/** English where a language has no table. */
export const callerPhrases = (language: string): CallerPhrases =>
  PHRASES[language.toLowerCase().split('-')[0] ?? ''] ?? DEFAULT;
