// Our own sentences that a caller hears or a dialogue model reads. Each language has a file beside this one. Keep
// `{{names}}` in double braces: they are filled in.

export interface Phrases {
  /** Said by the call itself. */
  call: {
    greetingInbound: string;
    greetingOutbound: string;
    howCanIHelp: string;
    /** On a call that reminds of an appointment. */
    reminder: string;
    /** The model or the recogniser failed. */
    fallback: string;
    /** After it, while the caller may go on. */
    sayAgain: string;
    /** The receptionist stands in for a model that fails: what it cannot do. */
    limited: string;
    /** It does not know the answer. */
    cannotAnswer: string;
    /** A tool did what was asked, and has no words for it. */
    done: string;
    /** A tool works on it meanwhile. */
    passedOn: string;
    handingOver: string;
    callAgainLater: string;
    /** The caller is told that somebody may listen. */
    listeningNotice: string;
    stillConnecting: string;
    /** Spoken to the person who takes over a call. */
    announcement: string;
    unknownCaller: string;
    /** To a caller who asked for a moment. */
    takeYourTime: string;
    /** To a caller who said "stop": nothing more, and it waits. */
    listening: string;
    /** Between the groups of a number: go on. */
    groupHeard: string;
    /** While a tool runs. */
    oneMoment: string;
    /** While the model thinks. */
    letMeSee: string;
    /** Said once the line is back, which was gone through a fault of ours. */
    lineLost: string;
    youWereSaying: string;
    /** The first words in this language, to a caller who asked for it by key. */
    languageChanged: string;
    /** Another language cannot be had. */
    languageKept: string;
  };
  /** The menu of keys, for languages in which the agent cannot converse. */
  menu: {
    noConversation: string;
    pressForPerson: string;
    pressForCallBack: string;
    pressForFacts: string;
    pressToOptOut: string;
    connecting: string;
    nobodyAnswers: string;
    willCallBack: string;
    /** The caller's number is withheld. */
    cannotCallBack: string;
    optedOut: string;
    keysOnly: string;
    stillThere: string;
    hangingUp: string;
    /** A colleague has talked in the agent's place. */
    backAgain: string;
    timeIsShort: string;
    goodbye: string;
    /** At the end of an outbound call. */
    goodbyeOutbound: string;
  };
  /** Facts of the business as spoken. */
  facts: {
    hours: string;
    /** Hours of one day or of several: "Monday to Friday", "9 to 5". */
    dayHours: string;
    dayRange: string;
    span: string;
    fullHour: string;
    hourAndMinute: string;
    allDay: string;
    address: string;
    phone: string;
    prices: string;
    /** The + of an international number. */
    plus: string;
  };
  /** Deeds of tools that somebody else asked for. `what`: a service and a time, or one of them. */
  results: {
    when: string;
    booked: string;
    bookedPlain: string;
    moved: string;
    movedPlain: string;
    cancelled: string;
    cancelledPlain: string;
    callBack: string;
    free: string;
    noneFree: string;
    /** After a time that cannot be had. */
    instead: string;
    notDone: string;
    /** A time that was asked for. */
    known: string;
  };
  /** Said to a person who is asked to take a caller, and of them. */
  handover: {
    /** `who`: the caller's name, or `call.unknownCaller`. */
    briefing: string;
    /** Introduces the caller's words, or their wish. */
    theySaid: string;
    reason: string;
    askKey: string;
    askWord: string;
    askMessage: string;
    noted: string;
    /** Nothing is known of what the person asked. */
    notSaid: string;
    /** Why a person did not take the call, for the caller. */
    isBusy: string;
    didNotAnswer: string;
    cannotTakeIt: string;
    notReached: string;
    leftMessage: string;
    /** For a language model. */
    nobodyNow: string;
  };
  /** Texts for a language model. */
  model: {
    identity: string;
    name: string;
    rules: string[];
    toolRules: string[];
    /** In their place for an agent that writes: the rules about speaking, the last of the tools', the first fact. */
    written: { rules: string[]; toolRule: string; begins: string };
    noTools: string;
    noTransfer: string;
    speak: string;
    alsoSpeak: string;
    /** Of the tool switch_language. */
    switchLanguage: string;
    about: string;
    address: string;
    phone: string;
    email: string;
    hours: string;
    services: string;
    duration: string;
    question: string;
    policies: string;
    furtherContext: string;
    /** Heading of the campaign's instructions. */
    instructions: string;
    callBegins: string;
    inbound: string;
    outbound: string;
    callerName: string;
    callerNumber: string;
    now: string;
    /** Marks of the conversation, in square brackets. */
    unclear: string;
    interrupted: string;
    /** Before passages of the business's documents. */
    passages: string;
  };
  /** Events of the call, in words for a language model. */
  notes: {
    digits: string;
    silent: string;
    silentLast: string;
    transferDeclined: string;
    lineLost: string;
    voiceLost: string;
    transferFailed: string;
    toolAnswered: string;
    personSaid: string;
    handedBack: string;
    languageChanged: string;
    limitNear: string;
  };
  /** Words that offer a key: "press the 9". */
  keys: { press: string[]; nine: string[] };
}

/** Fills `{{name}}` with its value. */
export function fill(phrase: string, values: Readonly<Record<string, string | number>>): string {
  return phrase.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
