// Sentences of the callers of generated takes, in each language that the engine's word tables know. The voices are
// English in all of them: the words are told by marks in the audio. A "mhm" is a sound, no text: they would spell it.

export interface CallerPhrases {
  /** BCP 47. */
  language: string;
  questions: readonly string[];
  /** Two parts of one sentence, of which the first cannot be the end. */
  halves: ReadonlyArray<readonly [string, string]>;
  /** Said after a question, while the agent thinks. */
  additions: readonly string[];
  interruptions: readonly string[];
  encouragements: readonly string[];
  /** Of somebody else in the room. */
  asides: readonly string[];
}

export const CALLER_PHRASES: readonly CallerPhrases[] = [
  {
    language: 'en-US',
    questions: ['What are your opening hours?', 'How much is a haircut?', 'Do you have time on Friday?'],
    halves: [
      ['I would like a haircut and', 'a colour, please.'],
      ['Could you book me in for', 'next Tuesday afternoon?'],
    ],
    additions: ['Or better on Wednesday morning.', 'And my wife would come too.'],
    interruptions: ['Sorry, actually I wanted to know the price.', 'What about Friday?', 'No, I meant next week.'],
    encouragements: ['uh-huh', 'I see.', 'Got it.', 'okay', 'yeah', 'right'],
    asides: ['Where did you put the car keys?', 'Dinner is ready in ten minutes.'],
  },
  {
    language: 'de-DE',
    questions: ['Wann haben Sie geöffnet?', 'Was kostet ein Haarschnitt?', 'Haben Sie am Freitag Zeit?'],
    halves: [
      ['Ich hätte gern einen Haarschnitt und', 'eine Farbe bitte.'],
      ['Können Sie mich eintragen für', 'nächsten Dienstag Nachmittag?'],
    ],
    additions: ['Oder besser am Mittwoch Morgen.', 'Und meine Frau käme auch mit.'],
    interruptions: [
      'Entschuldigung, ich wollte nach dem Preis fragen.',
      'Und was ist mit Freitag?',
      'Nein, ich meinte nächste Woche.',
    ],
    encouragements: ['ja', 'ach so', 'alles klar', 'okay', 'genau', 'verstehe'],
    asides: ['Wo hast du die Schlüssel hingelegt?', 'Das Essen ist in zehn Minuten fertig.'],
  },
  {
    language: 'es-ES',
    questions: ['¿Cuál es el horario de apertura?', '¿Cuánto cuesta un corte de pelo?', '¿Tienen hora el viernes?'],
    halves: [
      ['Quisiera un corte de pelo y', 'un tinte, por favor.'],
      ['¿Me puede dar hora para', 'el martes por la tarde?'],
    ],
    additions: ['O mejor el miércoles por la mañana.', 'Mi mujer vendría también.'],
    interruptions: [
      'Perdone, quería saber el precio.',
      '¿Qué tal el viernes?',
      'No, me refería a la semana que viene.',
    ],
    encouragements: ['sí', 'ya veo', 'vale', 'claro', 'de acuerdo', 'exacto'],
    asides: ['¿Dónde has puesto las llaves del coche?', 'La cena está lista en diez minutos.'],
  },
  {
    language: 'fr-FR',
    questions: ['Quels sont vos horaires ?', 'Combien coûte une coupe ?', 'Vous avez de la place vendredi ?'],
    halves: [
      ['Je voudrais une coupe et', 'une couleur, je vous prie.'],
      ['Pouvez-vous me noter pour', 'mardi après-midi ?'],
    ],
    additions: ['Ou plutôt mercredi matin.', 'Ma femme viendrait aussi.'],
    interruptions: [
      'Pardon, je voulais connaître le prix.',
      'Et vendredi ?',
      'Non, je parlais de la semaine prochaine.',
    ],
    encouragements: ['oui', 'je vois', "d'accord", 'okay', 'ouais', 'exactement'],
    asides: ['Où as-tu mis les clés de la voiture ?', 'Le dîner est prêt dans dix minutes.'],
  },
  {
    language: 'it-IT',
    questions: ['Quali sono gli orari di apertura?', 'Quanto costa un taglio?', 'Avete posto venerdì?'],
    halves: [
      ['Vorrei un taglio e', 'un colore, per favore.'],
      ['Mi può prenotare per', 'martedì pomeriggio?'],
    ],
    additions: ['O meglio mercoledì mattina.', 'Verrebbe anche mia moglie.'],
    interruptions: ['Scusi, volevo sapere il prezzo.', 'E venerdì?', 'No, intendevo la settimana prossima.'],
    encouragements: ['sì', 'ho capito', 'va bene', 'okay', 'esatto', 'giusto'],
    asides: ['Dove hai messo le chiavi della macchina?', 'La cena è pronta tra dieci minuti.'],
  },
  {
    language: 'nl-NL',
    questions: ['Wat zijn uw openingstijden?', 'Wat kost knippen?', 'Heeft u vrijdag tijd?'],
    halves: [
      ['Ik wil graag knippen en', 'verven, alstublieft.'],
      ['Kunt u mij inplannen voor', 'dinsdagmiddag?'],
    ],
    additions: ['Of liever woensdagochtend.', 'Mijn vrouw komt dan ook mee.'],
    interruptions: ['Pardon, ik wilde de prijs weten.', 'En vrijdag dan?', 'Nee, ik bedoelde volgende week.'],
    encouragements: ['ja', 'ik begrijp het', 'oké', 'okay', 'precies', 'inderdaad'],
    asides: ['Waar heb je de autosleutels gelegd?', 'Het eten is over tien minuten klaar.'],
  },
  {
    language: 'pt-BR',
    questions: ['Qual é o horário de funcionamento?', 'Quanto custa um corte?', 'Vocês têm horário na sexta?'],
    halves: [
      ['Eu queria um corte e', 'uma coloração, por favor.'],
      ['Você pode me marcar para', 'terça à tarde?'],
    ],
    additions: ['Ou melhor na quarta de manhã.', 'A minha mulher também viria.'],
    interruptions: ['Desculpe, eu queria saber o preço.', 'E na sexta?', 'Não, eu quis dizer semana que vem.'],
    encouragements: ['sim', 'entendi', 'tá bom', 'okay', 'certo', 'exato'],
    asides: ['Onde você pôs as chaves do carro?', 'O jantar fica pronto em dez minutos.'],
  },
];
