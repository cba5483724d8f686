// Finds the topic that a caller asks for by single words, in the languages in which the receptionist holds no
// conversation. It is for the turns in which it stands in for a language model: then a recogniser of the language is
// there, too.
import type { PhraseLanguage } from '../phrases/languages.ts';

export type Topic = 'person' | 'repeat' | 'hours' | 'prices' | 'address' | 'phone' | 'call-back';

/** Beginnings of words, or of phrases. The first topic that fits counts. */
const TOPICS: Record<Exclude<PhraseLanguage, 'en'>, Record<Topic, readonly string[]>> = {
  de: {
    person: ['mitarbeiter', 'verbinden', 'durchstellen', 'mit jemandem', 'mit einem menschen', 'persönlich'],
    'call-back': ['rückruf', 'zurückrufen', 'rufen sie mich'],
    prices: ['preis', 'kostet', 'kosten', 'teuer'],
    hours: [
      'öffnungszeit',
      'geöffnet',
      'offen',
      'öffnen',
      'geschlossen',
      'schließen',
      'haben sie auf',
      'macht ihr auf',
    ],
    address: ['adresse', 'anschrift', 'wo sind sie', 'wo seid ihr', 'wo finde', 'wo liegt', 'wie komme ich'],
    phone: ['telefonnummer', 'ihre nummer', 'welche nummer'],
    repeat: ['wiederhol', 'noch einmal', 'nochmal', 'noch mal'],
  },
  es: {
    person: ['persona', 'alguien', 'empleado', 'agente', 'páseme', 'pasarme'],
    'call-back': ['llámeme', 'llamarme', 'devolver', 'devuélvame'],
    prices: ['precio', 'cuesta', 'cuestan', 'tarifa', 'cuánto vale', 'cuánto es'],
    hours: ['horario', 'abierto', 'abren', 'abre', 'cierran', 'cierra', 'cerrado', 'qué hora'],
    address: ['dirección', 'dónde', 'ubicación', 'cómo llego'],
    phone: ['teléfono', 'su número'],
    repeat: ['repet', 'repit', 'otra vez', 'de nuevo'],
  },
  fr: {
    person: ['quelqu un', 'une personne', 'conseiller', 'employé', 'passez moi', 'un humain'],
    'call-back': ['rappeler', 'rappelez'],
    prices: ['prix', 'coûte', 'coûtent', 'tarif', 'combien'],
    hours: ['horaire', 'ouvert', 'ouvrez', 'ouvre', 'fermez', 'fermé', 'ouverture', 'fermeture'],
    address: ['adresse', 'où êtes', 'où se trouve', 'où vous', 'comment venir'],
    phone: ['téléphone', 'votre numéro'],
    repeat: ['répét', 'redire', 'redites', 'encore une fois'],
  },
  it: {
    person: ['persona', 'qualcuno', 'operatore', 'addetto', 'mi passi'],
    'call-back': ['richiamare', 'richiamat', 'richiami'],
    prices: ['prezz', 'costa', 'costano', 'tariff', 'quanto viene'],
    hours: ['orari', 'apert', 'aprite', 'apre', 'chiudete', 'chiude', 'chius'],
    address: ['indirizzo', 'dove siete', 'dove si trova', 'dove vi', 'come arriv'],
    phone: ['telefono', 'vostro numero', 'suo numero'],
    repeat: ['ripet', 'di nuovo', 'ancora una volta'],
  },
  nl: {
    person: ['medewerker', 'doorverbinden', 'iemand', 'een mens', 'persoonlijk'],
    'call-back': ['terugbellen', 'bel me', 'belt u mij'],
    prices: ['prijs', 'prijzen', 'kost', 'tarief', 'tarieven', 'hoeveel'],
    hours: ['openingstijd', 'geopend', 'open', 'gesloten', 'sluit', 'hoe laat'],
    address: ['adres', 'waar bent', 'waar zijn', 'waar zit', 'hoe kom ik'],
    phone: ['telefoonnummer', 'uw nummer'],
    repeat: ['herhal', 'nog een keer', 'nog eens'],
  },
  pt: {
    person: ['pessoa', 'alguém', 'funcionári', 'atendente', 'passe me', 'transferir'],
    'call-back': ['me ligar', 'ligar me', 'retornar', 'ligue me', 'me ligue'],
    prices: ['preço', 'custa', 'custam', 'tarifa', 'quanto é'],
    hours: ['horário', 'aberto', 'abrem', 'abre', 'fecham', 'fecha', 'fechado', 'que horas'],
    address: ['endereço', 'morada', 'onde', 'como chego'],
    phone: ['telefone', 'seu número', 'vosso número'],
    repeat: ['repet', 'repit', 'outra vez', 'de novo'],
  },
};

/** The topic that the text asks for; null if it names none. */
export function topicOf(text: string, language: PhraseLanguage): Topic | null {
  if (language === 'en') return null;
  const said = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()}`;
  const topics = Object.entries(TOPICS[language]) as Array<[Topic, readonly string[]]>;
  return topics.find(([, beginnings]) => beginnings.some((beginning) => said.includes(` ${beginning}`)))?.[0] ?? null;
}
