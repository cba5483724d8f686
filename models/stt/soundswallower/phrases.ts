// Callers' phrases as JSGF alternatives. Names in <> are rules in this file or slots that the business fills.
import { WEEKDAYS } from '../../../db/domain/hours/weekdays.ts';
import type { Expectation } from '../stt.ts';

type Rules = Record<string, readonly string[]>;

const HOURS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Slots that several rules share. */
export const COMMON_RULES: Rules = {
  // Optional words absorb noise and unknown speech, so they get a weight of 1 in 20.
  polite: ['/0.95/ <NULL>', '/0.05/ (please | thank you)'],
  opener: ['/0.95/ <NULL>', '/0.05/ <greeting>'],
  greeting: ['hello', 'hi', 'good morning', 'good afternoon', 'yes', 'okay'],
  day: WEEKDAYS,
  when: ['today', 'tomorrow', '[on] (this | next) <day>', '[on] <day>', 'on [the] weekend', 'on weekends'],
  yes: [
    '(yes | yeah | yep) [please | it is | that is right | exactly | of course | sure | that works]',
    'sure',
    'okay',
    'correct',
    'right',
    "[yes] (that's | that is) (right | correct | fine | good)",
    'of course',
    'go ahead',
    'sounds good',
    'that works',
    'perfect',
    'absolutely',
    'please do',
    'i do',
    'i would',
  ],
  no: [
    'no [thank you | thanks | it is not | that is wrong | not really | not today]',
    'nope',
    'not really',
    "that's wrong",
    'not that one',
    'never mind',
    'cancel that',
    "i don't",
    "that's not right",
  ],
  bye: [
    '(goodbye | bye | bye bye) [now | thank you]',
    "that's all [thank you | thanks]",
    'that is all [thank you]',
    "that's it [thank you]",
    'nothing else [thank you]',
    'thank you [very much] [goodbye | bye]',
    'thanks [a lot] [goodbye | bye]',
    "no [thank you | thanks] (that's all | that is all | that's it | goodbye | bye)",
    'have a (good | nice) day',
  ],
  someone: [
    '(a | the) (person | human | manager | representative | receptionist | real person)',
    'someone',
    'somebody',
    'an agent',
    'an operator',
  ],
  person: [
    "[can i | could i | may i | i want to | i'd like to | i would like to | let me | i need to] (speak | talk) (to | with) <someone> <polite>",
    'operator',
    'representative',
    'transfer me',
    'real person please',
    'connect me [to <someone>]',
  ],
  optout: [
    "[please] (stop calling [me] | don't call me [again | anymore] | do not call me [again | anymore])",
    '(remove me | take me off) [from] (your | the) (list | calling list)',
    'unsubscribe',
  ],
  repeat: [
    '(can | could) you (repeat that | say that again)',
    'pardon',
    'sorry what [was that]',
    'say that again',
    'repeat that',
    'what did you say',
    "i didn't (hear | get | catch) that",
    'one more time',
  ],
  // Words of a listener that need not stop the agent's speech.
  encouragement: [
    'uh huh',
    'mm hmm',
    'hmm',
    'i see',
    'got it',
    'gotcha',
    'makes sense',
    'all right',
    'great',
    'really',
    'wow',
    'go on',
  ],
  patience: [
    '(hold | hang) on [a (moment | second | minute)]',
    '(one | just a) (moment | second) [please]',
    'wait',
    'stop',
  ],
  // The beginning of something else: the turn is not over.
  more: ['/0.98/ <NULL>', '/0.02/ (and | or | but)'],
  always: ['<person>', '<bye>', '<repeat>', '<optout>', '<encouragement>', '<patience>'],
};

/** Questions that callers ask at any time. */
export const QUESTION_RULES: Rules = {
  hours: [
    "(what are | what's | tell me) (your | the) [opening | business | office] hours [<when>]",
    '[your | the] (opening | business | office) hours [<when>]',
    '(when | what time | how late | until when) (do | are) you (open | close | closed) [<when>]',
    'are you (open | closed) [now | right now | <when>]',
    'do you (open | close) <when>',
    'when are you open',
    'how late are you open [<when>]',
  ],
  services: [
    'what [kind of | other] services do you (offer | have | provide)',
    'what do you (offer | do)',
    'what are your (services | prices | rates)',
    'how much does it cost',
    'how much is it',
    'how much do you charge',
    'what does it cost',
    'tell me about your (services | prices)',
  ],
  priced: [
    'how much (is | are | for) (<aservice> | [the] <service>)',
    'how much does (<aservice> | [the] <service>) cost',
    'what does (<aservice> | [the] <service>) cost',
    "what's the price (of | for) (<aservice> | [the] <service>)",
    'how long does (<aservice> | [the] <service>) take',
    'how long is (<aservice> | [the] <service>)',
    'do you (do | offer | have | provide) (<aservice> | <service>)',
    'tell me about [the] <service>',
  ],
  place: [
    'where are you [located]',
    "what's your address",
    'what is your address',
    'how do i get there',
    'where is your (office | shop | store)',
    "what's your (phone number | email | email address | number)",
    'what is your (phone number | email | email address | number)',
  ],
  wish: [
    "i'd like to",
    'i would like to',
    'i want to',
    'i need to',
    'can i',
    'could i',
    'may i',
    "i'm calling to",
    'i am calling to',
    "we'd like to",
  ],
  booking: [
    '<wish> (book | make | schedule | set up) (an appointment | a reservation | <aservice> | <service>) [for (<aservice> | <service>)] [<wanted>]',
    "(i'd like | i would like | i want | i need | can i have | can i get) (an appointment [for (<aservice> | <service>)] | <aservice> | <service>) [<wanted>]",
    '<wish> come in [for (<aservice> | <service>)] [<wanted>]',
    '(do you have | is there) (anything | any openings | something) [available] [<wanted>]',
    'book an appointment',
  ],
  bookingplain: [
    '<wish> (book | make | schedule | set up) (an appointment | a reservation) [<wanted>]',
    "(i'd like | i would like | i want | i need) an appointment [<wanted>]",
    '<wish> come in [<wanted>]',
    'book an appointment',
  ],
  // Of one that the caller has: `to` with a day, or none.
  own: [
    '<wish> (cancel | move | change | reschedule) my appointment [to <when>]',
    '[please] (cancel | move | change | reschedule) my appointment [to <when>]',
    "i (can't | cannot) (make | come to) my appointment",
    '<change>',
  ],
  // Whether they come to it.
  change: [
    "[no] i (can't | cannot) (make | come to) it",
    '[please] (cancel | move) it [to <when>]',
    "[yes] (i'll | i will) (be there | come)",
  ],
  wanted: ["[for] <when> [at <hour> [a m | p m | o'clock | thirty]]", '[for] <when> (morning | afternoon)'],
  hour: HOURS,
  general: [
    '<hours>',
    '<services>',
    '<priced>',
    '<place>',
    '<booking>',
    '<bookingplain>',
    '<own>',
    '<question>',
    '<further>',
  ],
  talk: ['<opener> (<general>) <polite> <more>', '<always>', '<yes>', '<no>', '<greeting>', 'is this <business>'],
};

const DATE_RULES: Rules = {
  month: [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
  ordinal: [
    'first',
    'second',
    'third',
    'fourth',
    'fifth',
    'sixth',
    'seventh',
    'eighth',
    'ninth',
    'tenth',
    'eleventh',
    'twelfth',
    'thirteenth',
    'fourteenth',
    'fifteenth',
    'sixteenth',
    'seventeenth',
    'eighteenth',
    'nineteenth',
    'twentieth',
    'twenty (first | second | third | fourth | fifth | sixth | seventh | eighth | ninth)',
    'thirtieth',
    'thirty first',
  ],
  date: [
    'today',
    'tomorrow',
    'the day after tomorrow',
    '(this | next) <day>',
    '<day> [next week]',
    '<month> [the] <ordinal>',
    '[<day>] the <ordinal> [of <month>]',
    'next week',
    'as soon as possible',
    'any day',
    'the first available',
  ],
};

const TIME_RULES: Rules = {
  half: ['a m', 'p m', "o'clock", 'in the (morning | afternoon | evening)'],
  minute: ['thirty', 'fifteen', 'forty five', 'oh five', 'ten', 'twenty', 'forty', 'fifty'],
  time: [
    '<hour> [<minute>] [<half>]',
    'half past <hour>',
    'quarter (past | to) <hour>',
    'noon',
    '[in the] morning',
    '[in the] afternoon',
    'any time',
    'the (first | second | third) one',
    'the earliest',
    'the latest',
    'whatever (you have | works)',
  ],
};

const LEAD =
  "<opener> [how about | what about | maybe | let's say | i'd like | i would like | can we do | for | on | at | make it | no]";

const DIGIT_RULES: Rules = {
  digit: ['oh', 'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  digits: [
    "[it's | it is | my number is | yes] (<digit> | double <digit>)+",
    '(use | take) (this | the same) number',
    'this number [is fine]',
    "(the one | the number) i'm calling from",
  ],
};

const LETTER_RULES: Rules = {
  letter: [...'abcdefghijklmnopqrstuvwxyz'],
  spelled: ["[it's | it is | that's] (<letter> | double <letter>)+"],
};

const NAME_RULES: Rules = {
  name: ['<firstname> [<lastname>]', '<lastname>'],
  named: [
    "<opener> [my name is | it's | it is | this is | i'm | i am | for | the name is] <name>",
    "i'd rather not [say]",
    'skip [that]',
    'anybody [is fine]',
    'anyone',
  ],
};

const MAIL_RULES: Rules = {
  mail: [
    "[it's | it is | my email is] (<letter> | <digit> | dot | dash | underscore)+ at (gmail | yahoo | hotmail | outlook | icloud) dot com",
    "i don't have (one | an email)",
  ],
};

/** The rules of each state and the phrases that it accepts: first the expected answer, then general questions. */
export const EXPECTED_RULES: Record<Expectation, { top: readonly string[]; rules: Rules }> = {
  anything: { top: ['<talk>'], rules: {} },
  'yes-no': {
    top: [
      `${LEAD} <date> [at <time>]`,
      `${LEAD} <time>`,
      '<always>',
      '<yes>',
      '<no>',
      '<change>',
      '<hours>',
      '<priced>',
    ],
    rules: { ...DATE_RULES, ...TIME_RULES },
  },
  date: {
    top: [`${LEAD} <date> [at <time>] <polite>`, '<always>', '<yes>', '<no>', '<hours>'],
    rules: { ...DATE_RULES, ...TIME_RULES },
  },
  time: {
    top: [`${LEAD} <time> <polite>`, `${LEAD} <date> [at <time>]`, '<always>', '<yes>', '<no>', '<hours>'],
    rules: { ...DATE_RULES, ...TIME_RULES },
  },
  'date-time': {
    top: [
      `${LEAD} <date> [at] [<time>] <polite>`,
      `${LEAD} <time> [on] [<date>]`,
      '<always>',
      '<yes>',
      '<no>',
      '<hours>',
    ],
    rules: { ...DATE_RULES, ...TIME_RULES },
  },
  digits: { top: ['<digits>', '<always>', '<yes>', '<no>'], rules: DIGIT_RULES },
  spelling: { top: ['<spelled>', '<always>', '<yes>', '<no>'], rules: LETTER_RULES },
  name: { top: ['<named>', '<always>', '<yes>', '<no>'], rules: NAME_RULES },
  email: { top: ['<mail>', '<always>', '<yes>', '<no>'], rules: { ...DIGIT_RULES, ...LETTER_RULES, ...MAIL_RULES } },
  service: {
    top: [
      "<opener> [i'd like | i would like | i want | for | i need | just] (<aservice> | [the] <service>) <polite>",
      '<talk>',
    ],
    rules: {},
  },
};

export const FIRST_NAMES: readonly string[] = (
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica ' +
  'thomas sarah charles karen christopher lisa daniel nancy matthew betty anthony margaret mark sandra donald ashley steven ' +
  'kimberly paul emily andrew donna joshua michelle kenneth carol kevin amanda brian melissa george deborah edward stephanie ' +
  'ronald rebecca timothy sharon jason laura jeffrey cynthia ryan kathleen jacob amy gary angela nicholas shirley eric anna ' +
  'jonathan brenda stephen pamela larry emma justin nicole scott helen brandon samantha benjamin katherine samuel christine ' +
  'gregory rachel frank carolyn alexander janet patrick maria jack heather dennis diane jerry julie tyler joyce aaron ' +
  'victoria jose kelly adam christina nathan joan henry evelyn peter lauren kyle olivia alice alex sam tom mike dave bob jim ' +
  'steve chris dan joe ben kate jane sophia carlos luis'
).split(' ');

export const LAST_NAMES: readonly string[] = (
  'smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson thomas ' +
  'taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen king ' +
  'wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell carter roberts phillips evans ' +
  'turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers morgan cooper peterson bailey reed ' +
  'kelly howard kim cox ward richardson watson brooks wood bennett gray hughes price myers long foster sanders ross'
).split(' ');
