// The words of a spoken question that tell what it is about: without those that every question has, in the seven
// languages that the agents speak.

const MAX_WORDS = 10;
const STOP_WORDS = new Set(
  [
    // English
    'a an the and or but if is are was were be been do does did can could will would should may might have has had i you he she it we they me my your his her its our their this that these those there here what which who whom whose when where why how much many of in on at by for from to with about into over under again any some no not only own same so than too very just please tell know like want need get got hello hi okay yes thanks thank give say said let us am im id ill whats',
    // German
    'der die das den dem des ein eine einen einem einer eines und oder aber wenn ist sind war waren bin bist sein haben hat habe hatte kann können könnte wird werden würde soll ich du er sie es wir ihr mich mir dir uns euch mein dein ihre ihren unser was welche welcher welches wer wann wo warum wie viel viele von in im an am auf bei für mit zu zum zur über aus nach nicht kein keine nur auch noch schon sehr bitte mal doch denn da hier dort hallo ja nein danke sagen wissen möchte',
    // French
    "le la les un une des du de et ou mais si est sont était être avoir ai as a avez avons ont peut peux pouvez je tu il elle nous vous ils elles me te se mon ton son ma ta sa mes vos votre notre ce cette ces que qui quoi quel quelle quels quelles quand où pourquoi comment combien en dans sur à au aux par pour avec sans ne pas plus très bien s'il plaît bonjour oui non merci dire savoir voudrais c'est",
    // Spanish
    'el la los las un una unos unas y o pero si es son era ser estar está están hay he ha han tener tiene tienen puede puedo yo tú él ella nosotros ustedes me te se mi tu su mis sus este esta estos que qué quién cuál cuándo dónde cómo cuánto cuánta de del en con por para sin sobre al no más muy por favor hola sí gracias decir saber quiero quisiera',
    // Italian
    'il lo la i gli le un uno una e o ma se è sono era essere avere ho hai ha hanno può posso io tu lui lei noi voi loro mi ti si mio tuo suo questo questa questi che chi quale quando dove perché come quanto di del della dei in nel con per da su non più molto favore ciao sì no grazie dire sapere vorrei',
    // Dutch
    'de het een en of maar als is zijn was waren ben hebben heeft heb kan kunnen zou wil ik jij je u hij zij ze wij we mij mijn jouw uw hun ons dit dat deze die wat welke wie wanneer waar waarom hoe veel van in op aan bij voor met naar over uit niet geen ook nog al heel graag alstublieft hallo ja nee dank zeggen weten',
    // Portuguese
    'o a os as um uma uns umas e ou mas se é são era ser estar está tem têm ter há posso pode eu tu ele ela nós vocês me te meu minha seu sua este esta isto que quem qual quando onde como quanto quanta de do da dos das em no na com por para sem sobre não mais muito favor olá sim obrigado obrigada dizer saber queria',
  ]
    .join(' ')
    .split(/[\s']+/),
);

/** In the order of the question, each once; the longest where there are many. Letters and digits only. */
export function searchWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = [...new Set(words)].filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || /\d/.test(word)));
  if (telling.length <= MAX_WORDS) return telling;
  const longest = new Set([...telling].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS));
  return telling.filter((word) => longest.has(word));
}
